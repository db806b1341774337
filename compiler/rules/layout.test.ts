import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatFile } from "../../lang/format/index.ts";
import { scan } from "../../lang/grammar/index.ts";
import { createSourceText } from "../../lang/text/index.ts";
import { compilePage } from "../dev/fixtures/facts.ts";

// Formatting moves comments together with the part that they belong to: the same advice is silenced before and after formatting.

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));

/** Pages for which there is advice. */
const PAGES = globSync("{compiler/rules/advice/*/bad*,compiler/rules/pages/silence-*/*,examples/*/system}.cap", {
  cwd: CHECKOUT,
})
  .sort()
  .map((path) => readFileSync(`${CHECKOUT}/${path}`, "utf8"));

/**
 * A text that replaces the text between two tokens. If the text contains a silencing comment, the comment names one of
 * the codes of the page's advice.
 */
const anyGap = fc.record({
  at: fc.nat(),
  gap: fc.constantFrom(" ", "\n", "\n\n", " SILENCE\n", "\nSILENCE\n", "\n// said\nSILENCE\n\n"),
  code: fc.nat(),
});

type Gap = typeof anyGap extends fc.Arbitrary<infer T> ? T : never;

/** Returns the page with the same tokens and doc comments, but other text between them. */
function laidOut(page: string, gaps: readonly Gap[], codes: readonly string[]): string {
  const { tokens, docs } = scan(createSourceText("a.cap", page));
  const words = [...docs.map(({ start, end }) => ({ start, end, doc: true }))];
  for (let index = 0; index < tokens.count; index++)
    words.push({ start: tokens.start(index), end: tokens.end(index), doc: false });
  words.sort((left, right) => left.start - right.start);
  const chosen = new Map(gaps.map((gap) => [gap.at % words.length, gap]));
  return words
    .map(({ start, end, doc }, index) => {
      const { gap = "\n", code = 0 } = chosen.get(index) ?? {};
      const silence = `// capc: allow ${codes[code % codes.length]} because "it is tried out (${index})"`;
      return `${page.slice(start, end).trimEnd()}${doc ? "\n" : gap.replace("SILENCE", silence)}`;
    })
    .join("");
}

/** Returns the code of each finding, the number of the token at which it begins, and the reason if it is silenced. */
async function toldOf(text: string) {
  const { tokens } = scan(createSourceText("a.cap", text));
  const starts = Array.from({ length: tokens.count }, (_, index) => tokens.start(index));
  const { advice, silenced } = await compilePage(text);
  const token = (offset: number): number => starts.filter((start) => start < offset).length;
  return {
    silenced: silenced.map(({ diagnostic, reason }) => `${diagnostic.code} ${token(diagnostic.span.start)} ${reason}`),
    given: advice
      .filter(({ code }) => !code.startsWith("silence-"))
      .map(({ code, span }) => `${code} ${token(span.start)}`),
    leftOver: advice.filter(({ code }) => code === "silence-unused").length,
  };
}

test("the same findings are silenced before and after formatting", async () => {
  let silences = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PAGES),
      fc.array(anyGap, { minLength: 4, maxLength: 60 }),
      async (page, gaps) => {
        const codes = [...new Set((await compilePage(page)).advice.map(({ code }) => code))];
        const text = laidOut(page, gaps, codes.length === 0 ? ["tools-not-covered"] : codes);
        const formatted = await formatFile(createSourceText("a.cap", text));
        if (!formatted.ok) throw new Error(formatted.diagnostics.map(({ message }) => message).join("; "));
        const before = await toldOf(text);
        silences += before.silenced.length;
        expect(await toldOf(formatted.value)).toEqual(before);
      },
    ),
    { numRuns: 250 },
  );
  // Checks that the test has examined enough pages with silenced advice.
  expect(silences).toBeGreaterThan(20);
});
