export {
  type Diagnostic,
  type DiagnosticKind,
  defineDiagnostic,
  type Fix,
  isError,
  type Related,
} from "./diagnostic.ts";
export { encodeRange, reportOf } from "./json.ts";
export { findNearest } from "./nearest.ts";
export { SHOWN_AT_ONCE, selectShown, sortDiagnostics } from "./order.ts";
export { bug, createOutcome, type Outcome } from "./outcome.ts";
export { escapeInvisible } from "./reveal-invisible.ts";
export { drawDiagnostics } from "./terminal.ts";
