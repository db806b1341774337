export { collectRowCells, placeName } from "./cells.ts";
export { exportPolicy } from "./export.ts";
export { LOSSES } from "./loss.ts";
export { reportAsJson, reportLines } from "./report.ts";
export { type ExportResult, ONE_PLACE, TARGETS, type Target } from "./target.ts";
