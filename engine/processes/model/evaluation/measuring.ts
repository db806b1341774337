// Asks a model the cases of a set, one after the other.

import type { Answerer } from "./answerer.ts";
import type { Case } from "./cases.ts";
import { type Answer, computeInterval, ERRORS, judgeAnswer } from "./judging.ts";

export interface Share {
  readonly right: number;
  /** Lower end of the 95 % confidence interval of the share `right`. */
  readonly low: number;
  readonly high: number;
}

export interface Measured {
  readonly set: string;
  readonly cases: number;
  readonly name: Share;
  readonly full: Share;
  /** Processor time of one case in seconds, including the time for its table of tools. */
  readonly cpuSeconds: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** Returns the measurements of a set. `tell` is called with each case and its answer. */
export async function measureSet(
  { ask }: Answerer,
  set: string,
  cases: readonly Case[],
  tell: (asked: Case, answer: Answer, error: string | undefined) => void,
): Promise<Measured> {
  let [named, full, spent] = [0, 0, 0];
  const errors = new Map<string, number>();
  for (const asked of cases) {
    const { answer, cpuSeconds } = await ask(asked);
    const verdict = judgeAnswer(asked.wanted, answer);
    named += verdict.isNamed ? 1 : 0;
    full += verdict.isFull ? 1 : 0;
    spent += cpuSeconds;
    if (verdict.error !== undefined) errors.set(verdict.error, (errors.get(verdict.error) ?? 0) + 1);
    tell(asked, answer, verdict.error);
  }
  return {
    set,
    cases: cases.length,
    name: computeShare(named, cases.length),
    full: computeShare(full, cases.length),
    cpuSeconds: spent / Math.max(1, cases.length),
    errors: Object.fromEntries(ERRORS.flatMap((error) => (errors.has(error) ? [[error, errors.get(error) ?? 0]] : []))),
  };
}

function computeShare(right: number, cases: number): Share {
  const [low, high] = computeInterval(right, cases);
  return { right: cases === 0 ? 0 : right / cases, low, high };
}
