import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { indexTables } from "../engine/policy/index.ts";
import { isError } from "../lang/diagnostics/index.ts";
import { compile } from "./compile.ts";
import { memoryHost } from "./source/index.ts";
import { ALICE, BESIDE, BOB } from "./testing/facts.ts";
import { testSurroundings } from "./testing/surroundings.ts";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** All pages of the house: every construct, every law, good and bad. */
const PAGES = globSync("{lang,compiler,examples}/**/*.cap", { cwd: ROOT })
  .sort()
  .map((path) => readFileSync(`${ROOT}/${path}`, "utf8"));

const WORDS = [...new Set(PAGES.flatMap((page) => page.match(/\S+/g) ?? []))].sort();

const MODES = ["auto", "consent", "stepUp", "forbidden"];

/** One word of a page taken out, said twice, or exchanged for one of another page; or one mode exchanged for another. */
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

test("whatever becomes of a page, it is refused with a reason or gives tables that hang together", async () => {
  let lawful = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAGES),
      fc.array(anyEdit, { minLength: 1, maxLength: 3 }),
      async (page, edits) => {
        const text = edits.reduce(edited, page);
        // A page is checked and tested before the image can do what it says: then most of all must lowering be total.
        const files = { ...BESIDE, "/alice.pub": ALICE, "/bob.pub": BOB, "/system.cap": text };
        const options = { ...testSurroundings, purpose: "check" } as const;
        const { policy, diagnostics } = await compile(memoryHost(files, "2026-01-01"), "/system.cap", options);
        expect(policy === undefined).toBe(diagnostics.some(isError));
        for (const { span } of diagnostics) {
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeLessThanOrEqual(Math.max(span.source.text.length, span.start));
        }
        if (policy === undefined) return;
        lawful++;
        expect(indexTables(policy.tables)).toMatchObject({ ok: true });
      },
    ),
    { numRuns: 1500 },
  );
  // Else only refusals would have been looked at.
  expect(lawful).toBeGreaterThan(20);
}, 120_000);
