export { findParamLayout } from "./param-layout.ts";
export { encodeStructArguments, readStructArguments } from "./struct-arguments.ts";
