// Tests that a `forbidden` rule, added anywhere on a page, makes no decision looser and does not invalidate a proof.
import fc from "fast-check";
import { expect, test } from "vitest";
import { decide, type IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { Label } from "../../../../engine/lib/wire/generated/policy.ts";
import { indexPolicyTables } from "../../policy/indexed.ts";
import { prove } from "../index.ts";
import { type AnyPage, anyPage } from "./any-page.ts";
import { everyRecord } from "./arguments.ts";
import { type CompiledPage, meaningOf } from "./compiled.ts";
import { pageText } from "./pages.ts";
import type { AnyNarrowing } from "./sessions.ts";

/** A random `forbidden` rule to add: the number of its layer, and the number of its pattern. */
const anyAddition = fc.record({ layer: fc.nat(9), pattern: fc.nat(30) });

function withForbidden(
  page: AnyPage,
  { layer, pattern }: { readonly layer: number; readonly pattern: number },
): AnyPage {
  const line = { mode: "forbidden", pattern, where: 99, otherwise: "auto" } as const;
  const more = <T extends { readonly narrowing: AnyNarrowing }>(part: T): T => ({
    ...part,
    narrowing: { ...part.narrowing, lines: [...part.narrowing.lines, line] },
  });
  const { task, worker, sessions } = page;
  if (layer === 0 && worker !== null) return { ...page, worker: more(worker) };
  if (layer === 1 && task !== null) return { ...page, task: more(task) };
  if (layer === 2 && task !== null && task.phases.length > 0) {
    return {
      ...page,
      task: { ...task, phases: task.phases.map((phase, index) => (index === 0 ? more(phase) : phase)) },
    };
  }
  return { ...page, sessions: sessions.map((one, index) => (index === layer % sessions.length ? more(one) : one)) };
}

const STRICTNESS = ["auto", "consent", "stepUp"];

/** Returns the strictness of a call's mode; 3 if the call does not run. */
function strictnessOf(tables: IndexedTables, row: number, tool: string, label: Label, args: string): number {
  const decision = decide(tables, { row, label, unattended: false, spent: [] }, { tool, arguments: args });
  return decision.kind === "gated" ? STRICTNESS.indexOf(decision.gate) : STRICTNESS.length;
}

function decisions({ policy }: CompiledPage, labels: readonly Label[]): number[] {
  const tables = indexPolicyTables(policy);
  return [...tables.rows.entries()].flatMap(([row, { starts }]) =>
    tables.tools.flatMap(({ name, params }) =>
      everyRecord(params).flatMap((values) =>
        [starts, ...labels].map((label) => strictnessOf(tables, row, name, label, JSON.stringify(values))),
      ),
    ),
  );
}

/** Returns whether each claim is proved, by the text of the claim. */
function proven({ policy, model }: CompiledPage): Map<string, boolean> {
  const { results } = prove(policy, model);
  return new Map(results.map(({ words, verdict }) => [words, verdict.kind === "proved"]));
}

test("property: an additional forbidden rule makes no decision looser and breaks no claim that was proved", async () => {
  let narrowed = 0;
  let mended = 0;
  await fc.assert(
    fc.asyncProperty(anyPage, anyAddition, async (page, addition) => {
      const before = await meaningOf(pageText(page));
      const after = await meaningOf(pageText(withForbidden(page, addition)));
      const [secret, doubtful] = [before.policy.tables.lattice.confidentiality.length - 1, 0];
      const labels = [{ confidentiality: secret, integrity: doubtful, compartments: 0n }];
      const [were, are] = [decisions(before, labels), decisions(after, labels)];
      expect(are.length).toBe(were.length);
      expect(are.filter((strictness, index) => strictness < (were[index] ?? 0))).toEqual([]);
      const [held, holds] = [proven(before), proven(after)];
      expect([...holds].filter(([words, now]) => !now && held.get(words) === true)).toEqual([]);
      if (are.some((strictness, index) => strictness > (were[index] ?? 0))) narrowed++;
      if ([...holds].some(([words, now]) => now && held.get(words) === false)) mended++;
    }),
    { numRuns: 80, seed: 6 },
  );
  // Check that the added rules had an effect in enough cases.
  expect(narrowed).toBeGreaterThan(10);
  expect(mended).toBeGreaterThan(1);
});
