import type { Outcome, ToolCall, ToolResult } from "../../lib/wire/generated/capos.ts";

/** What came of a call; `content` where it is ok, else `error`. */
export type Ending = Pick<ToolResult, "outcome" | "content" | "error">;

export function makeEnding(outcome: Exclude<Outcome, "ok">, error: string): Ending {
  return { outcome, content: "", error };
}

/** Returns what whoever proposed a call is told of it. */
export function makeResult({ id: callId }: ToolCall, { outcome, content, error }: Ending): ToolResult {
  return { callId, outcome, content, error };
}
