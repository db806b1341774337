// Exports for other rooms. Generated layouts are imported from generated/, the process's environment from capset.ts.

export { boundMessageBytes } from "./bound.ts";
export { AnyCancel, type Cancel, Canceller } from "./cancel.ts";
export { type CallOptions, type CallResult, type Connection, connect, type Reply } from "./connection.ts";
export { decode, decodeMessage } from "./decode.ts";
export { encode, encodeMessage } from "./encode.ts";
export {
  type Answer,
  type ConnectionEnd,
  Failure,
  MAX_IN_FLIGHT,
  MAX_TOOL_WORDS_LENGTH,
  makeFailure,
} from "./frame.ts";
export { type HandlersOf, type Implementation, implement, serveInterface } from "./implement.ts";
export type { InterfaceLayout, MethodLayout, Methods, StructLayout } from "./layout.ts";
export type { Limits } from "./limits.ts";
export { LONGEST_TIMER_MS } from "./pending.ts";
export { type Serving, serve } from "./serve.ts";
