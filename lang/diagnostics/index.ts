export {
  type Diagnostic,
  type DiagnosticKind,
  type DiagnosticWords,
  defineDiagnostic,
  type Fix,
  isError,
  type Related,
  type Severity,
} from "./diagnostic.ts";
export { type JsonDiagnostic, type JsonReport, rangeOf, reportOf } from "./json.ts";
export { nearest } from "./nearest.ts";
export { firstShown, inPageOrder, SHOWN_AT_ONCE } from "./order.ts";
export { bug, type Outcome, outcomeOf } from "./outcome.ts";
export { drawDiagnostics, type TerminalStyle } from "./terminal.ts";
export { visible } from "./visible.ts";
