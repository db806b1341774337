import type { StreamChunk, ToolCall } from "../../lib/wire/generated/capos.ts";

/** Result of an answer after its pieces. */
export interface AnswerResult {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Reason why it is incomplete. */
  readonly fault?: string;
  /** Whether the fault is the form: the answer does not fit the requested schema. */
  readonly isMisshapen?: true;
  /** Whether it was cut off at its limit, before its end. */
  readonly isCut?: boolean;
}

export type Pieces = AsyncGenerator<StreamChunk, AnswerResult, undefined>;
