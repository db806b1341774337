import type { Outcome, ToolCall, ToolResult } from "../../lib/wire/generated/capos.ts";

/** Outcome of a call, with `content` if it is ok, otherwise with `error`. */
export type Ending = Pick<ToolResult, "outcome" | "content" | "error">;

export function makeEnding(outcome: Exclude<Outcome, "ok">, error: string): Ending {
  return { outcome, content: "", error };
}

/** Returns the result that the proposer of a call gets. */
export function makeResult({ id: callId }: ToolCall, { outcome, content, error }: Ending): ToolResult {
  return { callId, outcome, content, error };
}
