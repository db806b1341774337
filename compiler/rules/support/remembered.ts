import { serializeCondition } from "../../../engine/lib/policy/index.ts";
import type { Type } from "../../../engine/lib/wire/generated/policy.ts";
import type { SignedCondition } from "../../phases/conditions/index.ts";

/** Answers a yes-or-no question about conditions, such as whether one value of the type can meet all of them. */
export type Asking = (type: Type, signed: readonly SignedCondition[]) => boolean;

/** Returns the function `ask` with a cache, because the conditions of thousands of lines are often the same. */
export function rememberAnswers(ask: Asking): Asking {
  const known = new Map<Type, Map<string, boolean>>();
  return (type, signed) => {
    const answers = known.get(type) ?? new Map<string, boolean>();
    known.set(type, answers);
    const key = signed.map(({ condition, holds }) => `${holds}${serializeCondition(condition)}`).join();
    const answer = answers.get(key) ?? ask(type, signed);
    answers.set(key, answer);
    return answer;
  };
}
