import type { MethodDescription } from "../reflect/index.ts";

export type { InterfaceDescription, MethodDescription, Param, Type } from "../reflect/index.ts";

/** A method whose arguments and results are sent as JSON, so that it can become a tool. */
export type CallableMethod = Extract<MethodDescription, { readonly callable: true }>;
