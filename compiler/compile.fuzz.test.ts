import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { indexTables } from "../engine/lib/policy/index.ts";
import { isError } from "../lang/diagnostics/index.ts";
import { anyWords, LINES, type PageKind } from "../lang/testing/index.ts";
import { compile } from "./compile.ts";
import { ALICE, BESIDE, BOB, renderFactsPage } from "./dev/fixtures/facts.ts";
import { testSurroundings } from "./dev/fixtures/surroundings.ts";
import { createMemoryHost } from "./phases/source/index.ts";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** All pages of the repository, valid and invalid, which cover every construct and every law. */
const PAGES = globSync("{lang,compiler,examples}/**/*.cap", { cwd: ROOT })
  .sort()
  .map((path) => readFileSync(`${ROOT}/${path}`, "utf8"));

const WORDS = [...new Set(PAGES.flatMap((page) => page.match(/\S+/g) ?? []))].sort();

const MODES = ["auto", "consent", "stepUp", "forbidden"];

/** An edit: one word of a page is removed, repeated, or exchanged for one of another page, or one mode is exchanged for another. */
const anyEdit = fc.record({
  at: fc.nat(),
  how: fc.constantFrom("drop", "double", "exchange", "mode"),
  word: fc.constantFrom(...WORDS),
});

type Edit = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never;

function edited(page: string, { at, how, word }: Edit): string {
  const words = how === "mode" ? /\b(?:auto|consent|stepUp|forbidden)\b/g : /\S+/g;
  const count = page.match(words)?.length ?? 1;
  let index = -1;
  return page.replace(words, (old) => {
    if (++index !== at % count) return old;
    if (how === "mode") return MODES[at % MODES.length] ?? old;
    return how === "drop" ? "" : how === "double" ? `${old} ${old}` : word;
  });
}

/**
 * Returns whether a page compiles. Also checks that the page has either a policy with consistent tables or an error,
 * and that every finding is at a place inside the page.
 */
async function hangsTogether(text: string): Promise<boolean> {
  // With the purpose `check`, pages are lowered even if the image does not support them, so that lowering meets more constructs.
  const files = { ...BESIDE, "/alice.pub": ALICE, "/bob.pub": BOB, "/system.cap": text };
  const options = { ...testSurroundings, purpose: "check" } as const;
  const { policy, diagnostics } = await compile(createMemoryHost(files, "2026-01-01"), "/system.cap", options);
  expect(policy === undefined).toBe(diagnostics.some(isError));
  for (const { span } of diagnostics) {
    expect(span.start).toBeGreaterThanOrEqual(0);
    expect(span.end).toBeLessThanOrEqual(Math.max(span.source.text.length, span.start));
  }
  if (policy !== undefined) expect(indexTables(policy.tables)).toMatchObject({ ok: true });
  return policy !== undefined;
}

test("a randomly edited page is refused with a reason or gives consistent tables", async () => {
  let lawful = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAGES),
      fc.array(anyEdit, { minLength: 1, maxLength: 3 }),
      async (page, edits) => {
        const text = edits.reduce(edited, page);
        if (await hangsTogether(text)) lawful++;
      },
    ),
    { numRuns: 1500 },
  );
  // If fewer pages were lawful, the test would have examined little more than refusals.
  expect(lawful).toBeGreaterThan(20);
});

/** Names that the surrounding page or the standard library declares, so that generated constructs can refer to them. */
// biome-ignore format: in this form, the table fits on one screen; formatted, it would need a hundred lines
const TERMINALS = {
  names: [
    "notes", "Files", "operator", "visitor", "canned", "readOnly", "mutatingLocal", "destructive", "admin", "outboundNet",
    "read", "write", "delete", "list", "path", "content", "public", "internal", "secret", "untrusted", "reviewed",
    "system", "KiB", "MiB", "s", "min", "call", "calls", "turn", "conversation", "login", "task", "prompts", "alice",
    "profiles", "std", "size", "disk", "x",
  ],
  numbers: ["1", "2", "64", "200k", "5.00", "0", "-1"],
  texts: ['"keys/alice.pub"', '"/reports"', '"2027-01-31"', '"CHG-1: asked for"', '""', '"replies.json"'],
};

const KINDS: readonly { readonly kind: PageKind; readonly put: (words: string) => string }[] = [
  { kind: {}, put: (words) => renderFactsPage({ top: words }) },
  { kind: { choices: 40 }, put: (words) => renderFactsPage({ top: words }) },
  { kind: { rule: LINES.rule ?? "Rule", choices: 60 }, put: (words) => renderFactsPage({ permit: words }) },
  { kind: { rule: "SessAttr", choices: 80 }, put: (words) => renderFactsPage({ sessions: sessionWith(words) }) },
  {
    kind: { rule: "Narrow", choices: 80 },
    put: (words) => renderFactsPage({ rest: `task x in operator { ${words} } ${REST}` }),
  },
];

const REST = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';

function sessionWith(words: string): string {
  return `session operator { kind operator  models { auto canned }  permit { auto readOnly } ${words} }`;
}

test("a random page of the grammar is refused with a reason or gives consistent tables", async () => {
  let lawful = 0;
  const anyText = fc.oneof(
    ...KINDS.map(({ kind, put }) => anyWords({ ...kind, terminals: TERMINALS }).map((words) => put(words.join(" ")))),
  );
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      if (await hangsTogether(text)) lawful++;
    }),
    { numRuns: 600 },
  );
  expect(lawful).toBeGreaterThan(5);
});
