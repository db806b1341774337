import type { StreamChunk, ToolCall } from "../../lib/wire/generated/capos.ts";

/** Result of an answer after its pieces. */
export interface AnswerResult {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Reason why it is incomplete. */
  readonly fault?: string;
  /** The fault is its form: it is not of the schema that was asked for. */
  readonly isMisshapen?: true;
  /** It says no more because it may not: half of what it would have said. */
  readonly isCut?: boolean;
}

export type Pieces = AsyncGenerator<StreamChunk, AnswerResult, undefined>;
