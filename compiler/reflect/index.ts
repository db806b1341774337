// What the other rooms use: interfaces as tools, and the compiler of schemas.

export type { Param, Type } from "../../engine/wire/generated/policy.ts";
export { type ImportedInterface, type Imports, NO_IMPORTS } from "./imported.ts";
export type { Hints } from "./mcp.ts";
export { type LockUpdate, pinnedImports, updateLock } from "./pins.ts";
export { unfitPrograms } from "./programs.ts";
export type { SaidMethod } from "./said-facts.ts";
export { compileSchemas, type SchemaComplaint, type SchemaOutcome } from "./schema-compiler.ts";
export { type InterfaceDescription, type MethodDescription, reflectStandard, reflectTools } from "./tools.ts";
