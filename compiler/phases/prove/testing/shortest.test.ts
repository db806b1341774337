// Tests that a witness has at most as many steps as the naive evaluator needs to break the same claim.
import fc from "fast-check";
import { expect, test } from "vitest";
import { prove, type Witness } from "../index.ts";
import { type AnyPage, anyPage } from "./any-page.ts";
import { type Asked, isViolatedIn, questionOf, subjectRows } from "./claims.ts";
import { meaningOf } from "./compiled.ts";
import { fewestSteps } from "./costs.ts";
import { pageText } from "./pages.ts";
import { askedOf } from "./questions.ts";
import { type System, systemOf } from "./system.ts";

/**
 * Returns the page without workers and quotas. A witness with results of workers might not be the shortest, and a quota
 * may block the shortest trace.
 */
function simpler(page: AnyPage): AnyPage {
  const narrowing = <T extends { readonly narrowing: AnyPage["sessions"][number]["narrowing"] }>(part: T): T => ({
    ...part,
    narrowing: { ...part.narrowing, quotas: [] },
  });
  const { task, sessions } = page;
  return {
    ...page,
    worker: null,
    sessions: sessions.map(narrowing),
    task: task && { ...narrowing(task), phases: task.phases.map(narrowing) },
  };
}

/** Returns the number of steps of a witness, where the beginning of each conversation is one step. */
function lengthOf({ conversations }: Witness): number {
  return conversations.reduce((sum, { steps }) => sum + 1 + steps.length, 0);
}

/** Returns the fewest steps to a violation, including the last step. */
function fewestTo(system: System, asked: Asked): number {
  const rows = subjectRows(system, asked);
  const breaking = [...fewestSteps(system, questionOf(system, asked)).states.values()].filter(
    ({ what }) => rows.some((row) => row === system.tables.rows[what.row]) && isViolatedIn(system, asked, what),
  );
  return Math.min(...breaking.map(({ steps }) => steps)) + 1;
}

test("property: a witness is as short as possible", async () => {
  const lengths = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(anyPage, async (any) => {
      const { policy, model } = await meaningOf(pageText(simpler(any)));
      const system = systemOf(policy, model);
      const { results } = prove(policy, model);
      for (const asked of askedOf(model)) {
        const verdict = results.find(({ claim }) => claim === asked.claim)?.verdict;
        if (verdict?.kind !== "refuted" || asked.claim.kind === "limit") continue;
        const length = lengthOf(verdict.witness);
        expect(length).toBeLessThanOrEqual(fewestTo(system, asked));
        lengths.set(length, (lengths.get(length) ?? 0) + 1);
      }
    }),
    { numRuns: 250, seed: 6 },
  );
  // Check that enough witnesses have two conversations: one that writes data and one that reads it.
  expect(Math.max(...lengths.keys())).toBeGreaterThan(4);
});
