// Types, and one function, that `decode-struct.ts`, `decode-pointer.ts` and `quick.ts` share when they decode messages.

import type { StructLayout } from "./layout.ts";
import type { Reader, Sections } from "./reader.ts";

export type Get = (reader: Reader, sections: Sections, depth: number, into: Record<string, unknown>) => void;
/** Reads what the pointer at the byte `at` points to. */
export type Follow = (reader: Reader, at: number, depth: number) => unknown;

export interface StructCode {
  /** Number of values that one struct creates, without the values behind its pointers. */
  readonly values: number;
  readonly get: Get;
  /** Returns the value of a null pointer: the same shared value at every call. */
  readonly empty: () => unknown;
  /** Refuses the struct if it has data that none of its fields describes. */
  readonly refuseStrangers: (reader: Reader, sections: Sections) => void;
}

/**
 * Returns the code that reads structs of a layout; makes it at the first request. The code of lists gets this function
 * as an argument, so that the modules of structs and lists need not import each other.
 */
export type StructCodes = (layout: StructLayout<unknown>) => StructCode;

export function refuseUnknownMember(reader: Reader, zero: unknown): unknown {
  reader.refuse("an enum has a member that is not known here");
  return zero;
}
