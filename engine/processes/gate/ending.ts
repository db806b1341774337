import type { Outcome, ToolResult } from "../../lib/wire/generated/capos.ts";

/** What came of a call; `content` where it is ok, else `error`. */
export type Ending = Pick<ToolResult, "outcome" | "content" | "error">;

export function makeEnding(outcome: Exclude<Outcome, "ok">, error: string): Ending {
  return { outcome, content: "", error };
}
