export type { Finding, RecordPlace } from "./finding.ts";
export type { DayCount } from "./prompts.ts";
export { MAX_WHOLE_BYTES, Replay } from "./replay.ts";
export { Collected, MOST_KEPT, type Replayed } from "./replayed.ts";
export type { Standing } from "./standing.ts";
