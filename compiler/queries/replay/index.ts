export { LAST_MS, readWallMs } from "./clock.ts";
export type { ConversationBounds } from "./conversation-bounds.ts";
export { parseEvent } from "./events.ts";
export type { Finding, RecordPlace } from "./finding.ts";
export type { DayCount } from "./prompts.ts";
export { classifyRecord, classifySent, type SendStatus } from "./recorded-outcome.ts";
export { MAX_WHOLE_BYTES, Replay } from "./replay.ts";
export { MOST_KEPT, type ReplayResult, ReplayResultBuilder } from "./replay-result.ts";
