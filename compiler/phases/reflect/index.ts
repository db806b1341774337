// Exports the parts of this room that other rooms use. The room reads imported schemas and tool lists as interfaces,
// and describes their methods as tools. The schema compiler and the reader of its output are loaded only if a page
// imports a schema.

export type { Param, Type } from "../../../engine/lib/wire/generated/policy.ts";
export type { SaidMethod } from "./annotation-facts.ts";
export { shortenWords, unwrapProse } from "./described.ts";
export { type ImportedInterface, type Imports, NO_IMPORTS } from "./imported.ts";
export { type Hints, type ListedTool, readToolList } from "./mcp.ts";
export { checkPinnedImports, updateLock } from "./pins.ts";
export { checkPrograms } from "./programs.ts";
export { createKeptReflections, type KeptReflections } from "./reflection-cache.ts";
export { reflectStandard } from "./standard.ts";
export type { InterfaceDescription, MethodDescription } from "./tools.ts";
