import type { Answer, RecordedAnswer } from "./answers.ts";

export type Judgement = SettledDecision | Open;

export interface SettledDecision extends RecordedAnswer {
  readonly kind: "settled";
  /** Reason in one sentence, as the gate states it. */
  readonly reason: string;
  /** Index into the tables' rules. */
  readonly rule: number | undefined;
  /** Whether a person is asked. */
  readonly asked: boolean;
}

/** A decision that cannot be made, because the records lack something. */
export interface Open {
  readonly kind: "open";
  readonly because: string;
  /** Possible answers. */
  readonly answers: readonly Answer[];
}

/** Returns the judgement that a call or a step gets this answer, without a question to a person. */
export function settle(answer: Answer, reason: string, rule?: number): SettledDecision {
  return { kind: "settled", answer, withheld: undefined, reason, rule, asked: false };
}
