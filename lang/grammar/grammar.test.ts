import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { drawDiagnostics, SHOWN_AT_ONCE } from "../diagnostics/index.ts";
import { createSourceText } from "../text/index.ts";
import type { Item, SystemNode } from "../tree/index.ts";
import { misread } from "./facts.ts";
import { normalizeDecimal } from "./literals.ts";
import { parse } from "./parse.ts";
import type { Parsed } from "./parsed.ts";
import { MAX_SYNTAX_ERRORS } from "./rules/blocks.ts";
import { validateGrammar } from "./rules/read.ts";
import { scan } from "./scanner.ts";
import { CONTEXTUAL, RESERVED } from "./vocabulary.ts";

const WHOLE = readFileSync(new URL("../spec/whole-page.cap", import.meta.url), "utf8");

function read(text: string): Promise<Parsed> {
  return parse(createSourceText("a.cap", text));
}

function systemOf(items: readonly Item[]): SystemNode {
  const system = items.find((item) => item.kind === "system");
  if (system === undefined) throw new Error("no system was read");
  return system;
}

test("Chevrotain finds no ambiguity in the grammar", () => {
  expect(validateGrammar).not.toThrow();
});

test("the written grammar has exactly the words of the scanner", () => {
  const written = readFileSync(new URL("../spec/grammar.ebnf", import.meta.url), "utf8").replace(
    /\(\*[\s\S]*?\*\)/g,
    "",
  );
  const words = [...written.matchAll(/"([A-Za-z]+)"/g)].map(([, word]) => word);
  expect([...new Set(words)].sort()).toEqual([...RESERVED, ...CONTEXTUAL].sort());
});

test("`whole-page.cap` has every word of the language", () => {
  const { tokens } = scan(createSourceText("whole-page.cap", WHOLE));
  const kinds = new Set(Array.from({ length: tokens.count }, (_, index) => tokens.getKind(index)));
  expect([...RESERVED, ...CONTEXTUAL].filter((word) => !kinds.has(word))).toEqual([]);
});

test("a page with every construct of the language is parsed without a finding", async () => {
  const { tree, diagnostics } = await read(WHOLE);
  expect(diagnostics.map(({ message, span }) => `${message} at ${span.source.position(span.start).line}`)).toEqual([]);
  expect(tree.strayDocs).toEqual([]);
  const kinds = new Set(systemOf(tree.items).items.map((item) => item.kind));
  expect([...kinds].sort()).toEqual(
    [
      ...[
        "assert",
        "audit",
        "backend",
        "category",
        "compartments",
        "image",
        "ingress",
        "interface",
        "let",
        "levels",
        "model",
      ],
      ...[
        "network",
        "principal",
        "redaction",
        "release",
        "service",
        "session",
        "storage",
        "task",
        "test",
        "use",
        "waive",
        "worker",
      ],
    ].sort(),
  );
});

test.each(CONTEXTUAL)("the keyword `%s` may also be a name", async (word) => {
  const { tree, diagnostics } = await read(
    `system ${word} { service ${word} : Files { } session s { principals ${word} } }`,
  );
  expect(diagnostics).toEqual([]);
  expect(systemOf(tree.items).name.text).toBe(word);
});

test.each(RESERVED)("the reserved word `%s` cannot be a name, but may be quoted after a dot", async (word) => {
  expect((await read(`system ${word} { }`)).diagnostics).toHaveLength(1);
  expect((await read(`system s { session s { permit { auto Gate."${word}" } } }`)).diagnostics).toEqual([]);
});

test("names may begin with a keyword and contain dashes", async () => {
  for (const name of ["forbidden-city", "formal", "in-side", "auto1", "per_cent", "a-b-c"]) {
    expect(systemOf((await read(`system ${name} { }`)).tree.items).name.text).toBe(name);
  }
});

test.each([
  ["200k", "200000"],
  ["1.5M", "1500000"],
  ["0.0005k", "0.5"],
  ["5.00", "5"],
  ["-0", "0"],
  ["-1.50", "-1.5"],
  ["007", "7"],
])("the number %s has the value %s", (image, decimal) => {
  expect(normalizeDecimal(image)).toBe(decimal);
});

test("a doc comment belongs to the declaration after it, and a doc comment without a declaration after it is stray", async () => {
  const { tree } = await read(
    "/// one\n/// two\nsystem s {\n/// of the service\nservice a : B { }\n/// of nothing\n}\n/// end",
  );
  const system = systemOf(tree.items);
  expect(system.doc).toBe("one\ntwo");
  expect(system.items[0]).toMatchObject({ doc: "of the service" });
  expect(tree.strayDocs.map(({ source, start, end }) => source.text.slice(start, end))).toEqual([
    "/// of nothing",
    "/// end",
  ]);
});

misread({
  "a misspelt keyword": "«sytem» s { }",
  "a misspelt declaration": "system s {\n  «sesion» operator { kind operator }\n  storage { disk d }\n}",
  "a misspelt mode": "system s { session o { permit { auto a  «consnt» b  forbidden c } } }",
  "a missing closing brace": "system s {\n  session o {\n    kind operator\n  «storage» { disk d }\n}",
  "a brace too many": "system s { }\n«}»",
  "a missing name": "system «{» session o { kind operator } }",
  "a missing else": 'system s { session o { permit { auto a where path under "/x"  «consent» b } } }',
  "a quotation mark that is missing": 'system s {\n  principal a { ssh «"keys/a.pub }»\n  }\n}',
  "a wrong escape": 'system s { principal a { ssh "keys«\\q»a.pub" } }',
  "a letter that only looks like one": "system s { service n«о»tes : Files { } }",
  "the end of the file in a block": "system s { session o { kind operator«» ",
  "a semicolon": "system s { session o { kind operator«;» } }",
});

test("all independent mistakes are reported", async () => {
  const { diagnostics } = await read(`system s {
    service : Files { }
    session o { kind }
    session p { permit { auto , } }
    backend b { stub 7 }
    imge { target linux }
  }`);
  expect(diagnostics.map(({ span }) => span.source.position(span.start).line)).toEqual([2, 3, 4, 5, 6]);
});

test("the tree lists the names in text that the parser has skipped", async () => {
  expect([...(await read("sesion operator { kind operator }")).tree.lost]).toContain("operator");
});

test("for a page with too many errors, the first fifty are shown and the rest is counted", async () => {
  const { diagnostics } = await read("service\n".repeat(5000));
  expect(diagnostics).toHaveLength(MAX_SYNTAX_ERRORS + 1);
  const drawn = drawDiagnostics(diagnostics, { colour: false });
  expect(drawn.match(/^error\[/gm)).toHaveLength(SHOWN_AT_ONCE);
  expect(drawn).toContain(`1001 errors; the first 50 are shown, 951 more are not`);
});

const WORDS = [...RESERVED, ...CONTEXTUAL, "name", '"text"', "12", "5.00 EUR", ..."{}[](),:/*.<=>", "///x\n", "\n"];

test("no sequence of tokens makes the parser throw, and every finding lies inside the text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...WORDS), { maxLength: 200 }), async (words) => {
      const text = words.join(" ");
      for (const { span } of (await read(text)).diagnostics) {
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeLessThanOrEqual(text.length);
      }
    }),
    { numRuns: 500 },
  );
});

test("a page in which one word is missing gives at most three messages, and usually one", async () => {
  const words = WHOLE.match(/\S+/g) ?? [];
  const counts: number[] = [];
  for (const index of words.keys()) {
    let at = -1;
    const { diagnostics } = await read(WHOLE.replace(/\S+/g, (word) => (++at === index ? " " : word)));
    counts.push(diagnostics.length);
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
  expect(counts.filter((count) => count > 1).length / counts.length).toBeLessThan(0.1);
});

test.each([
  ["a comment of another language", "use std.tools # the `tools`, { and }", "a comment begins with `//`"],
  ["a text in single quotes", "session s { } '", 'a text stands in double quotes: `"…"`'],
  ["a semicolon at the end of a line", "use std.tools;", "nothing stands between lines or attributes: leave it out"],
  [
    "a keyword of a declaration in place of an attribute",
    "session s {\n  model { auto a }\n}",
    "did you mean `models`?",
  ],
])("%s gives one message with the form to write instead", async (_, text, help) => {
  const { diagnostics } = await read(`system s {\n${text}\n}`);
  expect(diagnostics).toMatchObject([{ help }]);
});
