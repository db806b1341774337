import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createSourceText } from "../../text/index.ts";
import { scan } from "../scanner.ts";
import { readStraight } from "../straight/read.ts";
import { computeFirsts } from "./firsts.ts";
import { FileGrammar } from "./items.ts";
import { OUTER } from "./levels.ts";
import { readRecovering } from "./read.ts";

const WHOLE = readFileSync(new URL("../../spec/whole-page.cap", import.meta.url), "utf8");

test("each grammar rule has the name of the property that holds it, because editors use these names", () => {
  const grammar = new FileGrammar({ skipValidations: true });
  const rules = Object.entries(grammar).filter(
    (entry): entry is [string, { readonly ruleName: string }] =>
      typeof entry[1] === "function" && "ruleName" in entry[1],
  );
  expect(rules.length).toBeGreaterThan(80);
  expect(rules.filter(([name, { ruleName }]) => name !== ruleName)).toEqual([]);
  expect(rules.map(([name]) => name).toSorted()).toEqual(Object.keys(grammar.getGAstProductions()).toSorted());
});

/** Returns the words with which the given rules of the grammar may begin, without duplicates, in code-unit order. */
function firstsOf(...rules: readonly string[]): string[] {
  const productions = new FileGrammar({ skipValidations: true }).getGAstProductions();
  const firsts = rules.flatMap((rule) => {
    const production = productions[rule];
    if (production === undefined) throw new Error(`the grammar has no rule ${rule}`);
    return [...computeFirsts(production)].map(({ name }) => name.replaceAll("'", ""));
  });
  return [...new Set(firsts)].toSorted();
}

test("each keyword of a declaration or an attribute ends a block whose closing brace is missing", () => {
  // OUTER.attribute has the words that end a block of attributes if a line begins with them. It has the first words of
  // all declarations except `abstract` and `system`; `system` begins only an outermost declaration.
  expect(["abstract", "system", ...OUTER.attribute].toSorted()).toEqual(firstsOf("item"));
  const attributes = [...OUTER.line].filter((word) => !OUTER.attribute.has(word));
  // The words of releases are in OUTER.attribute, because a release may be in a task and also outside of all declarations.
  const firsts = firstsOf("sessionAttribute", "taskAttribute").filter((word) => !OUTER.attribute.has(word));
  expect(attributes.toSorted()).toEqual(firsts);
});

/** Returns the trees of both parsers for a text without errors. */
function readByBoth(text: string) {
  const scanned = scan(createSourceText("a.cap", text));
  const { tree, diagnostics } = readRecovering(scanned);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  return { straight: readStraight(scanned), tree };
}

/** Returns the tokens of `whole-page.cap` as one text, with the text `before` in front of each token. */
function wholeWith(before: string): string {
  const { tokens } = scan(createSourceText("a.cap", WHOLE));
  return Array.from(
    { length: tokens.count },
    (_, index) => `${before}${WHOLE.slice(tokens.start(index), tokens.end(index))}`,
  ).join("");
}

test.each<[string, string]>([
  ["as it is written", WHOLE],
  ["with a doc before each token", wholeWith("\n/// doc\n")],
  ["with a comment before each token", wholeWith("\n// comment\n")],
  ["on one line", wholeWith(" ")],
])("the straight and the full parser give trees with equal properties for `whole-page.cap` %s", (_, text) => {
  const { straight, tree } = readByBoth(text);
  expect(straight).toStrictEqual(tree);
});

test("if each token has a doc comment, only the comments of declarations are used, and all others are stray", () => {
  const { tree } = readByBoth(wholeWith("\n/// doc\n"));
  const taken = JSON.stringify(tree.items, (key, value) =>
    key === "span" || key === "source" ? undefined : value,
  ).match(/"doc":"doc"/g);
  expect(taken?.length).toBeGreaterThan(20);
  const { tokens } = scan(createSourceText("a.cap", WHOLE));
  expect(tree.strayDocs.length).toBeLessThan(tokens.count - (taken?.length ?? 0) + 1);
  expect(tree.strayDocs.length).toBeGreaterThan(tokens.count / 2);
});

test("the straight and the full parser give the same result for `whole-page.cap` without one of its tokens", () => {
  const { tokens } = scan(createSourceText("a.cap", WHOLE));
  const wrong: string[] = [];
  for (let index = 0; index < tokens.count; index += 5) {
    const text = `${WHOLE.slice(0, tokens.start(index))} ${WHOLE.slice(tokens.end(index))}`;
    const scanned = scan(createSourceText("a.cap", text));
    const { tree, diagnostics } = readRecovering(scanned);
    const straight = readStraight(scanned);
    if ((straight === undefined) !== diagnostics.length > 0) wrong.push(`without token ${index}`);
    if (straight !== undefined) expect(straight).toStrictEqual(tree);
  }
  expect(wrong).toEqual([]);
});
