export type { Activity, Approval, OutcomeCounts, OutcomeGroup } from "./activity.ts";
export { GROUPS } from "./activity.ts";
export { ActivityBuilder, type ActivityPolicy, countCalls } from "./activity-builder.ts";
export { formatMinute, formatSeconds, parseMoment } from "./moment.ts";
export { type Criteria, checkCriteria, RecordFilter } from "./record-filter.ts";
export { parseToolPattern } from "./tool-pattern.ts";
export { listVisibleTools, type VisibleTools } from "./visible-tools.ts";
