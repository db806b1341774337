// Types and functions that the modules of the encoder share, such as `encode-struct.ts` and `encode-pointer.ts`. A
// struct is measured before it is written, because the canonical form omits the zeros at the end of its sections.

import { bug } from "../result/bug.ts";
import type { StructLayout } from "./layout.ts";
import { checkDepth, type Writer } from "./writer.ts";

export type Value = Readonly<Record<string, unknown>>;

/** Numbers of words and pointers that a struct uses. */
export interface Extent {
  dataWords: number;
  pointers: number;
}

/** The code that writes a field, a group or a whole struct into the sections of a struct. */
export interface SectionCode {
  /** Returns whether the value needs no space. `isBlank` stops at the first field that is not empty; `measure` visits all fields. */
  readonly isBlank: (value: unknown, depth: number) => boolean;
  /** Widens `extent` to the size that the value needs. The writer checks later whether the value fits its layout. */
  readonly measure: (value: unknown, extent: Extent, depth: number) => void;
  readonly put: (writer: Writer, data: number, pointers: number, value: unknown, depth: number) => void;
}

/** The code that writes a value behind a pointer. */
export interface PointerCode {
  readonly isEmpty: (value: unknown, depth: number) => boolean;
  /** Writes the value. For an empty value it writes nothing, and the pointer stays null. */
  readonly put: (writer: Writer, at: number, value: unknown, depth: number) => void;
}

/**
 * Returns the code that writes structs of a layout; makes it at the first request. The code of lists gets this function
 * as an argument, so that the modules of structs and lists need not import each other.
 */
export type StructCodes = (layout: StructLayout<unknown>) => SectionCode;

/** Throws for a value that does not fit its layout: the code that made the value has a defect. */
export function rejectUnfitValue(where: string, value: unknown): never {
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value).slice(0, 80);
  return bug(`${where} cannot hold ${shown} (${typeof value})`);
}

export function measureExtent(measure: SectionCode["measure"], value: unknown, depth: number): Extent {
  checkDepth(depth);
  const extent: Extent = { dataWords: 0, pointers: 0 };
  measure(value, extent, depth);
  return extent;
}

export function isBlank(code: SectionCode, value: unknown, depth: number): boolean {
  checkDepth(depth);
  return code.isBlank(value, depth);
}

function isNothing(extent: Extent): boolean {
  return extent.dataWords === 0 && extent.pointers === 0;
}

export function putStruct(writer: Writer, at: number, code: SectionCode, value: unknown, depth: number): void {
  const extent = measureExtent(code.measure, value, depth);
  if (isNothing(extent)) return;
  const target = writer.allocate(extent.dataWords + extent.pointers);
  writer.writeStructPointer(at, target, extent.dataWords, extent.pointers);
  code.put(writer, target, target + extent.dataWords * 8, value, depth);
}
