// Compares two sets of modes: those that compiler/phases/prove/arguments.ts computes, and those that brute force over a small vocabulary
// finds. The test tests tools and decision lists of random pages, and longer combined lists.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision } from "../../../../engine/lib/wire/generated/policy.ts";
import { findArguments } from "../arguments.ts";
import { anyPage } from "./any-page.ts";
import { filledIn, MODES, modesByTrial, modeWith, NOTHING_CHOSEN } from "./arguments.ts";
import { meaningOf } from "./compiled.ts";
import { pageText } from "./pages.ts";

test("property: the search finds each mode that brute force finds, and the arguments that it finds give their mode", async () => {
  let conditional = 0;
  let asked = 0;
  let open = 0;
  await fc.assert(
    fc.asyncProperty(anyPage, async (page) => {
      const { tools, rows, decisions } = (await meaningOf(pageText(page))).policy.tables;
      for (const [index, tool] of tools.entries()) {
        const lists = decisions.filter((_, at) => rows.some(({ cells }) => cells[index] === at + 2));
        // This list joins the clauses of all lists of the tool, so it is longer than the lists of the page.
        const all: Decision = {
          clauses: lists.flatMap(({ clauses }) => clauses),
          floors: lists.flatMap(({ floors }) => floors),
        };
        for (const list of lists.length > 1 ? [...lists, all] : lists) {
          if (list.clauses.some(({ conditions }) => conditions.length > 0)) conditional++;
          const tried = modesByTrial(tool.params, list);
          const found = findArguments(tool, list);
          for (const mode of MODES) {
            const one = found[mode];
            asked++;
            // Domains, origins and elements have values outside of the vocabulary, so a mode that was not found may still be possible.
            if (one.kind === "unknown" && !tried.has(mode)) open++;
            else expect([mode, one.kind]).toEqual([mode, tried.has(mode) ? "some" : "none"]);
            if (one.kind === "some") {
              const hearing = new Map(one.heard.map(({ sources, standing }) => [JSON.stringify(sources), standing]));
              const asked = filledIn(list, one.chosen ?? NOTHING_CHOSEN);
              expect(modeWith(asked, JSON.parse(one.arguments), hearing)).toBe(mode);
            }
          }
        }
      }
    }),
    { numRuns: 250, seed: 6 },
  );
  expect(conditional).toBeGreaterThan(50);
  expect(open / asked).toBeLessThan(0.005);
});
