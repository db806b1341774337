import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CONTEXTUAL, RESERVED, SIGNS, scan } from "../../../lang/grammar/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import { type Compiled, compile } from "../../compile.ts";
import { BESIDE, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import type { Policy } from "../../phases/policy/index.ts";
import { createDiskHost, createMemoryHost, type Host } from "../../phases/source/index.ts";
import { applyFixes } from "../../rules/index.ts";
import { type CertainFixes, findCertainFixes } from "./index.ts";

const TODAY = "2026-01-01";
const ROOT = "/system.cap";

const GOOD = renderFactsPage({});

/** Returns the page after all fixes that may be applied without asking. */
async function mended(text: string, host = hostOf(text), path = ROOT): Promise<{ text: string } & CertainFixes> {
  const certain = await findCertainFixes(host, path, testSurroundings);
  return { ...certain, text: applyFixes(text, certain.fixes).text };
}

function hostOf(text: string): Host {
  return createMemoryHost({ ...BESIDE, [ROOT]: text }, TODAY);
}

async function left(text: string): Promise<void> {
  expect((await mended(text)).text).toBe(text);
}

test.each([
  ["a comma in place of a star", renderFactsPage({ permit: "auto readOnly  auto notes., " })],
  ["a brace in place of a star", renderFactsPage({ permit: "auto readOnly  auto notes. " })],
  ["a comma in place of a brace", renderFactsPage({ top: "levels { public, internal, secret }" })],
  ["a misspelt permissive mode", renderFactsPage({ permit: "autp readOnly  forbidden destructive" })],
  ["a misspelt strict mode", renderFactsPage({ permit: "auto readOnly  forbiden destructive" })],
  ["the misspelt name of an allowed tool", renderFactsPage({ permit: "auto readOnly  auto notes.wrte" })],
  ["the misspelt name of a forbidden tool", renderFactsPage({ permit: "auto readOnly  forbidden notes.wrte" })],
  ["a misspelt category", renderFactsPage({ permit: "auto readOny" })],
  ["a misspelt service", renderFactsPage({ permit: "auto readOnly  auto nots.write" })],
  ["a misspelt waiver", renderFactsPage({ top: 'waiv trifecta because "CHG-1: it was seen"' })],
  ["a misspelt optional declaration", renderFactsPage({ top: 'pricipal alice { ssh "keys/alice.pub" }' })],
  ["a misspelt optional quota", GOOD.replace("permit {", "quta { 40 calls per turn } permit {")],
  ["the name of a session, which may be misspelt at its declaration", GOOD.replace("boot operator", "boot oprator")],
  ["a page with another error", renderFactsPage({ top: "levels {" }).replace("image", "imge")],
])("leaves %s to the user", (_, text) => left(text));

test.each([
  ["a required declaration", "image", "imge"],
  ["a block with rules of the author", "permit", "permt"],
  ["the system", "system", "sytem"],
])("corrects a word if only one correction compiles: %s", async (_, right, wrong) => {
  expect(GOOD).toContain(right);
  expect(await mended(GOOD.replace(right, wrong))).toMatchObject({ kind: "reading", text: GOOD });
});

test("corrects several words together or none of them", async () => {
  const wrong = GOOD.replace("permit", "permt").replace("image", "imge");
  expect((await mended(wrong)).text).toBe(GOOD);
  await left(wrong.replace("auto readOnly", "auto readOny"));
});

const BOARD = {
  top: `interface Board {
    method post : mutatingLocal
    /// Deprecated: use \`post\`.
    method wipe : destructive }`,
  services: "service board : Board {}  service notes : Files { state 1 MiB }",
};

test("keeps a deprecated name if the new name means another tool", async () => {
  const text = renderFactsPage({ ...BOARD, permit: "consent mutatingLocal  forbidden Board.wipe" });
  const { advice } = await compiledOf(text);
  expect(advice.find(({ code }) => code === "deprecated-name")?.fix?.replacement).toBe("post");
  await left(text);
});

test("removes an unused import, and turns a stray doc comment into a comment", async () => {
  const text = `${renderFactsPage({ top: "\nuse std.profiles\n" })}\n/// Said of nothing.\n`;
  expect((await mended(text)).text).toBe(`${renderFactsPage({ top: "\n" })}\n// Said of nothing.\n`);
});

test("does not turn a doc comment into a suppression of advice", async () => {
  const silence = '/// capc: allow doc-missing because "it is tried out"';
  const text = GOOD.replace("operator {", `operator\n${silence}\n{`);
  const { advice } = await compiledOf(text);
  expect(advice.map(({ code, fix }) => [code, fix?.replacement])).toContainEqual(["stray-doc", "//"]);
  await left(text);
});

test("does not correct a misspelt suppression of advice", async () => {
  await left(GOOD.replace("session", '// capc: allow doc-mising because "it is tried out"\n session'));
});

function compiledOf(text: string, host = hostOf(text), path = ROOT): Promise<Compiled> {
  return compile(host, path, { ...testSurroundings, purpose: "check" });
}

// The following tests check that automatic fixes are safe, on many kinds of pages with many kinds of damage.

const CHECKOUT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGES = await Promise.all(
  globSync("compiler/rules/{laws,advice}/*/{good,bad}*.cap", { cwd: CHECKOUT })
    .sort()
    .map(async (name) => ({ path: `${CHECKOUT}${name}`, text: await readFile(`${CHECKOUT}${name}`, "utf8") })),
);

interface Token {
  readonly start: number;
  readonly end: number;
}

function tokensOf(text: string): Token[] {
  const { tokens } = scan(createSourceText("a.cap", text));
  return Array.from({ length: tokens.count }, (_, index) => ({ start: tokens.start(index), end: tokens.end(index) }));
}

/**
 * Words of the language. The test makes typing errors only in these words. An error in a declared name can give another
 * valid page.
 */
const LANGUAGE: ReadonlySet<string> = new Set([...RESERVED, ...CONTEXTUAL]);
const NAMES = /^[A-Za-z_]\w*$/;

/**
 * Returns a word with a typing error: a letter is missing, doubled, exchanged with its neighbour, or replaced by
 * another letter.
 */
function slipped(word: string, at: number, how: number): string {
  const place = at % word.length;
  const [before, letter = "", next = "", behind] = [
    word.slice(0, place),
    word[place],
    word[place + 1],
    word.slice(place + 2),
  ];
  return `${before}${[next, `${letter}${letter}${next}`, `${next}${letter}`, `${letter === "x" ? "y" : "x"}${next}`][how] ?? ""}${behind}`;
}

interface Damage {
  readonly at: number;
  readonly how: number;
  readonly what: number;
}

const anyDamage = fc.record({ at: fc.nat(), how: fc.nat(8), what: fc.nat() });
const PUT_IN = [...SIGNS, ...RESERVED, "///", "\n/// c\n", "// c\n", '"', "#"];

function damaged(text: string, { at, how, what }: Damage): string {
  const tokens = tokensOf(text);
  const word = tokens.filter(({ start, end }) => end - start > 3 && LANGUAGE.has(text.slice(start, end)));
  const { start, end } = (how < 4 ? word[at % word.length] : tokens[at % tokens.length]) ?? { start: 0, end: 0 };
  const own = text.slice(start, end);
  const other = tokens[what % tokens.length] ?? { start: 0, end: 0 };
  const instead = [
    slipped(own, what, how),
    "",
    text.slice(other.start, other.end),
    `${own} ${PUT_IN[what % PUT_IN.length]} `,
    `${PUT_IN[what % PUT_IN.length]}`,
    `${own}\n/// said of what follows, if it takes a doc\n`,
  ][Math.max(0, how - 3)];
  return text.slice(0, start) + instead + text.slice(end);
}

function within(path: string, text: string): Host {
  const disk = createDiskHost(TODAY);
  return {
    ...disk,
    readFile: async (real, limit) =>
      real === path ? { ok: true, value: new TextEncoder().encode(text) } : disk.readFile(real, limit),
  };
}

function meaningOf(policy: Policy | undefined) {
  if (policy === undefined) return undefined;
  const { tables, ...rest } = policy;
  return { ...rest, tables: { ...tables, rules: tables.rules.map(({ id }) => id) } };
}

const GRANTS = /^(?:auto|consent|stepUp|widen|waive|declassify|endorse|remember|grant)$/;

/**
 * Checks on one page that its automatic fixes are safe. Returns the kind of the page's fixes, or `undefined` if there are
 * none.
 */
async function holds(path: string, text: string): Promise<CertainFixes["kind"] | undefined> {
  const after = await mended(text, within(path, text), path);
  if (after.fixes.length === 0) return undefined;
  const [before, made] = await Promise.all(
    [text, after.text].map((each) => compiledOf(each, within(path, each), path)),
  );
  if (after.kind === "same") {
    expect(made?.understood?.lowered).toBeDefined();
    expect(meaningOf(made?.understood?.lowered?.policy)).toEqual(meaningOf(before?.understood?.lowered?.policy));
    expect(made?.silenced.length).toBe(before?.silenced.length);
    return "same";
  }
  expect(before?.policy).toBeUndefined();
  expect(made?.policy).toBeDefined();
  for (const { span, replacement } of after.fixes) {
    expect(text.slice(span.start, span.end)).toMatch(NAMES);
    expect(replacement).toMatch(NAMES);
    expect(replacement).not.toMatch(GRANTS);
  }
  expect(tokensOf(after.text)).toHaveLength(tokensOf(text).length);
  return "reading";
}

test("on randomly damaged pages, an automatic fix keeps the meaning, or is a correction that compiles", async () => {
  const kinds: Map<string | undefined, number> = new Map<CertainFixes["kind"] | undefined, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAGES),
      fc.array(anyDamage, { maxLength: 3 }),
      async ({ path, text }, damages) => {
        const kind = await holds(path, damages.reduce(damaged, text));
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      },
    ),
    { numRuns: 300 },
  );
  // Checks that enough pages had a fix.
  expect(kinds.get("reading")).toBeGreaterThan(5);
  expect(kinds.get("same")).toBeGreaterThan(5);
});

test("after a typing error in a word of the language, an automatic fix restores the page's policy", async () => {
  let fixes = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAGES),
      fc.record({ at: fc.nat(), how: fc.nat(3), what: fc.nat() }),
      async ({ path, text }, slip) => {
        const wrong = damaged(text, slip);
        const { kind, fixes: certain, text: after } = await mended(wrong, within(path, wrong), path);
        if (kind !== "reading" || certain.length === 0) return;
        const meant = await compiledOf(text, within(path, text), path);
        const made = await compiledOf(after, within(path, after), path);
        expect(meaningOf(made.policy)).toEqual(meaningOf(meant.policy));
        fixes += 1;
      },
    ),
    { numRuns: 300 },
  );
  expect(fixes).toBeGreaterThan(5);
});
