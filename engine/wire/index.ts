// What the other rooms use. Generated layouts are imported from generated/, the process's environment from capset.ts.

export { type Decoded, decode, decodeMessage } from "./decode.ts";
export { encode, encodeMessage } from "./encode.ts";
export type { EnumLayout, InterfaceLayout, MethodLayout, StructLayout } from "./layout.ts";
export { FILE_LIMITS, FRAME_LIMITS, type Limits } from "./limits.ts";
