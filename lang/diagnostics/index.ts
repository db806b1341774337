export {
  type Diagnostic,
  type DiagnosticKind,
  defineDiagnostic,
  type Fix,
  isError,
  type Related,
} from "./diagnostic.ts";
export { rangeOf, reportOf } from "./json.ts";
export { nearest } from "./nearest.ts";
export { firstShown, inPageOrder, SHOWN_AT_ONCE } from "./order.ts";
export { bug, type Outcome, outcomeOf } from "./outcome.ts";
export { drawDiagnostics } from "./terminal.ts";
export { visible } from "./visible.ts";
