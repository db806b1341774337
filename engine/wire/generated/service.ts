// Generated from service.capnp by `npm run generate`. Do not edit.

import { bool, bytes, field, list, of, struct, text, type StructLayout, uint16, uint32, uint64 } from "../layout.ts";
import { Param } from "./policy.ts";

export interface ServiceMethod {
  readonly ordinal: number;
  /** As the program exports it. */
  readonly name: string;
  /** Its category is readOnly or descends from it: it is called even where the service has used up its state. */
  readonly readOnly: boolean;
  readonly params: readonly Param[];
  readonly results: readonly Param[];
}

export const ServiceMethod: StructLayout<ServiceMethod> = struct("ServiceMethod", 0xe23f0d48787b49c6n, [1, 3], () => ({
  fields: [
    field("ordinal", uint16, 0),
    field("name", text, 0),
    field("readOnly", bool, 16),
    field("params", list(of(() => Param)), 1),
    field("results", list(of(() => Param)), 2),
  ],
}));

export interface ServiceMethods {
  readonly schemaVersion: number;
  readonly interfaceId: bigint;
  readonly interfaceName: string;
  /** In code-unit order of names. */
  readonly methods: readonly ServiceMethod[];
  /**
   * Of a server of the Model Context Protocol: SHA-256 of the tools that the page's list has, as canonical JSON in order of
   * names. It serves nothing while it lists others. Empty: the program is none.
   */
  readonly toolList: Uint8Array;
}

export const ServiceMethods: StructLayout<ServiceMethods> = struct("ServiceMethods", 0x9374cc7fd966ddd3n, [2, 3], () => ({
  fields: [
    field("schemaVersion", uint32, 0),
    field("interfaceId", uint64, 1),
    field("interfaceName", text, 0),
    field("methods", list(of(() => ServiceMethod)), 1),
    field("toolList", bytes, 2),
  ],
}));
