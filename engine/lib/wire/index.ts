// What the other rooms use. Generated layouts are imported from generated/, the process's environment from capset.ts.

export { AnyCancel, type Cancel, Canceller } from "./cancel.ts";
export { type CallOptions, type Connection, connect, type Ran, type Reply } from "./connection.ts";
export { type Decoded, decode, decodeMessage } from "./decode.ts";
export { encode, encodeMessage } from "./encode.ts";
export { type Answer, type Ending, Failure, failure, MAX_IN_FLIGHT, MAX_TOOL_WORDS_LENGTH } from "./frame.ts";
export { type CallContext, type HandlersOf, type Implementation, implement, serveInterface } from "./implement.ts";
export type { EnumLayout, InterfaceLayout, MethodLayout, StructLayout } from "./layout.ts";
export { FILE_LIMITS, FRAME_LIMITS, type Limits } from "./limits.ts";
export { LONGEST_TIMER_MS } from "./pending.ts";
export { type CallHandler, type IncomingCall, type Serving, serve } from "./serve.ts";
