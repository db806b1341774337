import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeSource, parse, scan } from "../grammar/index.ts";
import { anyDamagedPage, anyPage, LINES } from "../testing/index.ts";
import { createSourceText } from "../text/index.ts";
import { formatFile } from "./index.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

async function formatted(text: string): Promise<string> {
  const outcome = await formatFile(createSourceText("a.cap", text));
  if (!outcome.ok) throw new Error(outcome.diagnostics.map(({ message }) => message).join("; "));
  return outcome.value;
}

/** Returns the tree without its positions. */
async function meaningOf(text: string): Promise<string> {
  const { tree, diagnostics } = await parse(createSourceText("a.cap", text));
  expect(diagnostics).toEqual([]);
  const places = new Set(["span", "source"]);
  return JSON.stringify([tree.items, tree.strayDocs.length], (key, value) => (places.has(key) ? undefined : value));
}

/** Returns all tokens and comments in order. A formatter must not change them. */
function writtenIn(text: string): string[] {
  const { tokens, docs, comments } = scan(createSourceText("a.cap", text));
  const places = [...docs, ...comments];
  for (let index = 0; index < tokens.count; index++)
    places.push({ start: tokens.start(index), end: tokens.end(index) });
  places.sort((left, right) => left.start - right.start);
  return places.map(({ start, end }) => text.slice(start, end).trimEnd());
}

async function keepsItsLaws(page: string): Promise<void> {
  const once = await formatted(page);
  expect(await formatted(once)).toBe(once);
  expect(await meaningOf(once)).toBe(await meaningOf(page));
  expect(writtenIn(once)).toEqual(writtenIn(page));
  expect(once).not.toMatch(/\r|\t(?![^\n]*\/\/)|[ \t]\n|\n\n\n|^\n|[^\n]$/);
}

test("formatting keeps the meaning, tokens and comments of any valid page, and a second run changes nothing", async () => {
  await fc.assert(fc.asyncProperty(fc.oneof(anyPage(), anyPage(LINES)), keepsItsLaws), { numRuns: 600 });
});

test("formatting keeps the meaning of every page in the repository", async () => {
  const pages = globSync("{lang,stdlib,compiler,examples}/**/*.cap", { cwd: CHECKOUT });
  const texts = pages.map((path) => readFileSync(`${CHECKOUT}/${path}`, "utf8"));
  let kept = 0;
  for (const text of texts) {
    const { diagnostics } = await parse(createSourceText("a.cap", text));
    if (diagnostics.length > 0) continue;
    await keepsItsLaws(text);
    kept++;
  }
  expect(kept).toBeGreaterThan(30);
});

test("a page with a syntax error is refused with its findings", async () => {
  const refused = { ok: false, diagnostics: [{ code: "syntax" }] };
  expect(await formatFile(createSourceText("a.cap", "system s { session }"))).toMatchObject(refused);
});

test("a damaged page is refused exactly if it has findings, and the formatter does not throw", async () => {
  const anyDamage = fc.oneof(anyDamagedPage(), anyDamagedPage(LINES));
  await fc.assert(
    fc.asyncProperty(anyDamage, async (page) => {
      const source = createSourceText("a.cap", page);
      expect((await formatFile(source)).ok).toBe((await parse(source)).diagnostics.length === 0);
    }),
    { numRuns: 300 },
  );
});

test("a byte order mark and carriage returns are removed", async () => {
  const bounded = decodeSource("a.cap", new TextEncoder().encode("\ufeffsystem s {\r\n\r\n\r\n  // a\r\n}\r\n"));
  expect(bounded.ok && (await formatFile(bounded.source))).toMatchObject({ value: "system s {\n  // a\n}\n" });
});

/** Each text with the form that `capc fmt` gives it. A second formatting must not change the formatted form. */
const FORMS: Readonly<Record<string, readonly [string, string]>> = {
  "an empty page": ["", ""],
  "several blanks become one": ["use   std .\ttools", "use std.tools\n"],
  "a block on one line stays on one line": ['principal a{ssh"k"passkey "p"}', 'principal a { ssh "k"  passkey "p" }\n'],
  "a block on several lines gets one line for each element": [
    'principal a { ssh "k" passkey "p"\n}',
    'principal a {\n  ssh "k"\n  passkey "p"\n}\n',
  ],
  "an empty block": ["session a from b {\n}", "session a from b {}\n"],
  "several blank lines become one, and those at the ends of a block are removed": [
    "\n\nsystem s {\n\n\n\n use a.b\n\n\n use a.c\n\n}\n\n",
    "system s {\n  use a.b\n\n  use a.c\n}\n",
  ],
  "modes and conditions are aligned in columns": [
    'session s { permit {\nauto a\nforbidden bcd where x == 1 else auto\nstepUp c where y == "z" else forbidden } }',
    'session s {\n  permit {\n    auto      a\n    forbidden bcd where x == 1 else auto\n    stepUp    c   where y == "z" else forbidden\n  }\n}\n',
  ],
  "a blank line starts new columns, and a comment does not": [
    "session s { permit {\nauto a\n\nforbidden b\n// c\nauto c } }",
    "session s {\n  permit {\n    auto a\n\n    forbidden b\n    // c\n    auto      c\n  }\n}\n",
  ],
  "facts of methods are separated, and methods are aligned in columns": [
    "interface a { method b:c arg d is path arg e is text\nmethod bcd:cde returns f..g\n}",
    "interface a {\n  method b   : c    arg d is path  arg e is text\n  method bcd : cde  returns f .. g\n}\n",
  ],
  "braces are aligned only in blocks of one kind of declaration": [
    'principal a { ssh "k" }\nprincipal bcd { ssh "l" }\nstorage { disk "d" }',
    'principal a   { ssh "k" }\nprincipal bcd { ssh "l" }\nstorage { disk "d" }\n',
  ],
  "braces of adjacent blocks are aligned in one column": [
    'confidentiality { a<b }\nintegrity { c<d }\ncompartments{e,f}\nstorage { disk "d" }',
    'confidentiality { a < b }\nintegrity       { c < d }\ncompartments    { e, f }\nstorage         { disk "d" }\n',
  ],
  "lines of very different lengths are not aligned": [
    "session a { kind k }\nsession b extends cdefghijklmno { kind k }",
    "session a { kind k }\nsession b extends cdefghijklmno { kind k }\n",
  ],
  signs: [
    'test "t" { call a . b {a:[1,{"b" :{} }],c:{}} returning x:{y,z}/w expect ok\n}',
    'test "t" {\n  call a.b { a: [1, { "b": {} }], c: {} } returning x:{y, z}/w expect ok\n}\n',
  ],
  "a label range and a call of a function": [
    "service a:b . c{label x..y}\n\nsession s{permit{auto a where size( b )<=1 KiB else auto}}",
    "service a : b.c { label x .. y }\n\nsession s { permit { auto a where size(b) <= 1 KiB else auto } }\n",
  ],
  "comments keep their places": [
    "// first\n\n/// doc\nsystem s { // opening\n use a.b // one\n use a.bcd   // two\n // last\n} // behind\n// end",
    "// first\n\n/// doc\nsystem s {  // opening\n  use a.b    // one\n  use a.bcd  // two\n  // last\n}  // behind\n// end\n",
  ],
  "comments inside a line": [
    'session s { permit { auto a, // why\n b\n // own\n because "r" } }',
    'session s {\n  permit {\n    auto a,  // why\n        b\n        // own\n        because "r"\n  }\n}\n',
  ],
  "a comment before a brace": ["session s // c\n{ kind a }", "session s  // c\n    {\n  kind a\n}\n"],
};

test.each(Object.entries(FORMS))("%s", async (_, [text, form]) => {
  expect(await formatted(text)).toBe(form);
  expect(await formatted(form)).toBe(form);
});

test("a line that can be broken is at most 120 columns wide", async () => {
  const tools = Array.from({ length: 40 }, (_, index) => `service${index}.method`).join(", ");
  const page = await formatted(`session s { permit { auto ${tools} because "they are many" } only ${tools} }`);
  const lines = page.split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(lines.length).toBeLessThan(20);
});
