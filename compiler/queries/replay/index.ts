export type { Answer } from "./answers.ts";
export type { Finding, RecordPlace } from "./finding.ts";
export type { Judgement } from "./judgement.ts";
export type { DayCount, ToolCount } from "./prompts.ts";
export { MAX_WHOLE_BYTES, Replay } from "./replay.ts";
export { Collected, MOST_KEPT, type Replayed } from "./replayed.ts";
export type { Standing } from "./standing.ts";
