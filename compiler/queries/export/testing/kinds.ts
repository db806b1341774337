import fc from "fast-check";
import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import { anyScene } from "../../../../engine/lib/policy/testing/arbitrary.ts";
import { ANSWERS, pageAnswer, withoutBytes } from "./answers.ts";
import { someQuestions } from "./questions.ts";

/** Generates tables with a conversation and a call, and the argument `first` of `someQuestions`. */
export const anyAsked = fc.tuple(anyScene, fc.nat(40));

/** Every answer of the gate, combined with whether an engine expresses the cell completely. */
export const KINDS: readonly string[] = ANSWERS.flatMap((one) => [`${one} false`, `${one} true`]).sort();

/** The seed is fixed, because chance must not decide whether the samples contain each answer. */
const SEED = 3;
const OFTEN = 5;

/**
 * Returns the members of `KINDS` that samples include often enough. `wholly` returns the cells that an engine expresses
 * completely, by row and tool.
 */
export function kindsDrawn(wholly: (tables: IndexedTables) => ReadonlySet<string>): readonly string[] {
  const seen = new Map<string, number>();
  for (const [{ tables: any, call, conversation }, first] of fc.sample(anyAsked, { numRuns: 1000, seed: SEED })) {
    const tables = withoutBytes(any);
    const whole = wholly(tables);
    const { label, unattended } = conversation;
    for (const question of someQuestions(tables, { call, label, unattended }, first)) {
      const answer = pageAnswer(tables, question.conversation, question) ?? "refused";
      const kind = `${answer} ${whole.has(`${question.conversation.row} ${question.tool}`)}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
    }
  }
  return [...seen].flatMap(([kind, times]) => (times >= OFTEN ? [kind] : [])).sort();
}
