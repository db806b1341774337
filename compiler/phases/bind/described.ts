import type { MethodDescription } from "../reflect/index.ts";

export type { InterfaceDescription, MethodDescription, Param, Type } from "../reflect/index.ts";

/** A method whose arguments and results are sent as JSON. Only such a method can be a tool. */
export type CallableMethod = Extract<MethodDescription, { readonly callable: true }>;
