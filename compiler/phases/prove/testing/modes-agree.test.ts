// Which modes arguments can bring about: what is worked out (compiler/phases/prove/arguments.ts) against what trying every value of a
// small vocabulary finds, on the tools and lines of random pages and on lines of several clauses.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision } from "../../../../engine/lib/wire/generated/policy.ts";
import { findArguments } from "../arguments.ts";
import { anyPage } from "./any-page.ts";
import { filledIn, MODES, modesByTrial, modeWith, NOTHING_CHOSEN } from "./arguments.ts";
import { meaningOf } from "./compiled.ts";
import { pageText } from "./pages.ts";

test("law: a mode that is found by trial is found, and arguments that are found give their mode", async () => {
  let conditional = 0;
  let asked = 0;
  let open = 0;
  await fc.assert(
    fc.asyncProperty(anyPage, async (page) => {
      const { tools, rows, decisions } = (await meaningOf(pageText(page))).policy.tables;
      for (const [index, tool] of tools.entries()) {
        const lists = decisions.filter((_, at) => rows.some(({ cells }) => cells[index] === at + 2));
        // Clauses of several sessions beside each other are a line that no page happened to write.
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
            // Domains, origins and elements have values that are not tried: then nothing is ruled out.
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
