import type { StreamChunk, ToolCall } from "../../lib/wire/generated/capos.ts";

/** The result that follows an answer's last piece. */
export interface AnswerResult {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Reason why the answer is incomplete. */
  readonly fault?: string;
  /** Whether the fault is the answer's form: it does not fit the requested schema. */
  readonly isMisshapen?: true;
  /** Whether the answer was cut at its limit, before its end. */
  readonly isCut?: boolean;
}

export type Pieces = AsyncGenerator<StreamChunk, AnswerResult, undefined>;
