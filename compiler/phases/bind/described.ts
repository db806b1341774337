import type { MethodDescription } from "../reflect/index.ts";

export type { InterfaceDescription, MethodDescription, Param, Type } from "../reflect/index.ts";

/** A method whose arguments and results travel as JSON, so that a tool can be made of it. */
export type CallableMethod = Extract<MethodDescription, { readonly callable: true }>;
