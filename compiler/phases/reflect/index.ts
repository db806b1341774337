// What the other rooms use: interfaces as tools. The compiler of schemas and the reader of what it gives are loaded where a
// page imports a schema, and not before.

export type { Param, Type } from "../../../engine/lib/wire/generated/policy.ts";
export { type ImportedInterface, type Imports, NO_IMPORTS } from "./imported.ts";
export { type KeptReflections, keptReflections } from "./kept.ts";
export type { Hints } from "./mcp.ts";
export { pinnedImports, updateLock } from "./pins.ts";
export { unfitPrograms } from "./programs.ts";
export type { SaidMethod } from "./said-facts.ts";
export { reflectStandard } from "./standard.ts";
export type { InterfaceDescription, MethodDescription } from "./tools.ts";
