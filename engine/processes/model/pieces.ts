import type { StreamChunk, ToolCall } from "../../lib/wire/generated/capos.ts";

/** Result of an answer, which follows its pieces. */
export interface AnswerResult {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Reason why the answer is incomplete. */
  readonly fault?: string;
  /** Whether the answer is faulty because it does not fit the requested schema. */
  readonly isMisshapen?: true;
  /** Whether the answer was cut off at its limit, before its end. */
  readonly isCut?: boolean;
}

export type Pieces = AsyncGenerator<StreamChunk, AnswerResult, undefined>;
