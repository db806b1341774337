// Functions that the generated code of single structs calls. The generated code of a struct replaces the general
// writer and reader for this struct. The generated code gives the same bytes, values and refusals, and is faster in
// processes that run without a JIT compiler.

import { refuseUnknownMember } from "./decode-code.ts";
import { follow } from "./decode-pointer.ts";
import { emptyStruct, getStructDecoder as readingCode, structOf } from "./decode-struct.ts";
import { isBlank, rejectUnfitValue } from "./encode-code.ts";
import { makePointerEncoder } from "./encode-pointer.ts";
import { putStructOf, getStructEncoder as writingCode } from "./encode-struct.ts";
import type { EnumLayout, FieldType, StructCodec, StructLayout } from "./layout.ts";
import type { Reader } from "./reader.ts";
import type { Writer } from "./writer.ts";

export { dataAt, EMPTY_BYTES as NO_BYTES, EMPTY_LIST as NO_ELEMENTS, textAt } from "./decode-pointer.ts";
export { putData, putText } from "./encode-pointer.ts";
export type { Reader, StructCodec, Writer };
export { emptyStruct, putStructOf, structOf };

const MOST_UINT64 = 2n ** 64n - 1n;

// In all these functions `at` is a byte offset, and `where` names the field for errors.

export function putFlag({ bytes }: Writer, at: number, bit: number, value: unknown, where: string): void {
  if (value !== true) rejectUnfitValue(where, value);
  bytes[at] = (bytes[at] ?? 0) | bit;
}

export function putUint8({ bytes }: Writer, at: number, value: number, where: string): void {
  if ((value & 0xff) !== value) rejectUnfitValue(where, value);
  bytes[at] = value;
}

export function putUint16({ view }: Writer, at: number, value: number, where: string): void {
  if ((value & 0xffff) !== value) rejectUnfitValue(where, value);
  view.setUint16(at, value, true);
}

export function putUint32({ view }: Writer, at: number, value: number, where: string): void {
  if (value >>> 0 !== value) rejectUnfitValue(where, value);
  view.setUint32(at, value, true);
}

export function putUint64({ view }: Writer, at: number, value: bigint, where: string): void {
  if (typeof value !== "bigint" || value < 0n || value > MOST_UINT64) rejectUnfitValue(where, value);
  view.setBigUint64(at, value, true);
}

export function putMember({ view }: Writer, at: number, { members }: EnumLayout, value: string, where: string): void {
  const ordinal = members.indexOf(value);
  if (ordinal === -1) rejectUnfitValue(where, value);
  view.setUint16(at, ordinal, true);
}

export function isBlankStruct(layout: StructLayout<unknown>, value: unknown, depth: number): boolean {
  const { quick } = layout;
  return quick === undefined ? isBlank(writingCode(layout), value, depth) : quick.isBlank(value, depth);
}

export function unfitMember(name: string, value: unknown): never {
  return rejectUnfitValue(`${name}.which`, (value as { readonly which?: unknown }).which);
}

/** Returns the member of an enum at a byte. */
export function memberAt<E extends string>(reader: Reader, { members }: EnumLayout<E>, at: number): E {
  const [zero] = members;
  return members[reader.view.getUint16(at, true)] ?? (refuseUnknownMember(reader, zero) as E);
}

export function unknownUnionMember(reader: Reader, tag: number): undefined {
  return reader.refuse(`a union has the member ${tag}, which is not known here`);
}

/** Code that writes and reads a list. It calls the general code, because lists have no generated code. */
export interface QuickList {
  readonly put: (writer: Writer, at: number, value: unknown, depth: number) => void;
  readonly get: (reader: Reader, at: number, depth: number) => readonly never[];
}

/** Returns the code that writes and reads a list. `where` is the name of the field. */
export function listOf(where: string, element: FieldType): QuickList {
  const type = { kind: "list", element } as const;
  const [{ put }, get] = [makePointerEncoder(where, type, writingCode), follow(type, readingCode)];
  return { put, get: get as QuickList["get"] };
}
