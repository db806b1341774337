// What the other rooms use: interfaces as tools. The compiler of schemas and the reader of what it gives are loaded where a
// page imports a schema, and not before.

export type { Param, Type } from "../../../engine/lib/wire/generated/policy.ts";
export { type ImportedInterface, type Imports, NO_IMPORTS } from "./imported.ts";
export { createKeptReflections, type KeptReflections } from "./kept.ts";
export type { Hints } from "./mcp.ts";
export { checkPinnedImports, updateLock } from "./pins.ts";
export { checkPrograms } from "./programs.ts";
export type { SaidMethod } from "./said-facts.ts";
export { reflectStandard } from "./standard.ts";
export type { InterfaceDescription, MethodDescription } from "./tools.ts";
