// Reads text, bytes, lists, and pointers to structs from unchecked bytes.

import { bug } from "../result/bug.ts";
import { type Follow, refuseUnknownMember, type StructCode, type StructCodes } from "./decode-code.ts";
import type { EnumLayout, FieldType, ScalarType, StructLayout } from "./layout.ts";
import type { Reader } from "./reader.ts";
import { getScalarCode } from "./scalar.ts";
import { ELEMENTS, ELEMENTS_OF_BITS } from "./writer.ts";

export const EMPTY_BYTES = new Uint8Array(0);
export const EMPTY_LIST: readonly never[] = Object.freeze([]);

/** Returns a function that returns the value of a null pointer of this type. */
export function makeEmptyGetter(type: FieldType, structs: StructCodes): () => unknown {
  switch (type.kind) {
    case "text":
      return () => "";
    case "data":
      return () => EMPTY_BYTES;
    case "list":
      return () => EMPTY_LIST;
    case "struct":
      return () => structs(type.layout()).empty();
    default:
      return bug("only pointers are empty");
  }
}

/** Returns a function that reads the target of a pointer of this type. */
export function follow(type: FieldType, structs: StructCodes): Follow {
  switch (type.kind) {
    case "text":
      return textAt;
    case "data":
      return dataAt;
    case "list":
      return listAt(type.element, structs);
    case "struct":
      return makeStructReader(type.layout, structs);
    default:
      return bug("only pointers are followed");
  }
}

export function textAt(reader: Reader, at: number, depth: number): string {
  const begin = reader.locateBytes(at, depth);
  if (begin === -1) return "";
  const { bytes, length } = reader;
  const end = begin + length;
  if (length === 0 || bytes[end - 1] !== 0) return reader.refuse("a text does not end with a zero byte") ?? "";
  return parseUtf8(bytes, begin, end - 1) ?? reader.refuse("a text is not UTF-8") ?? "";
}

/** Returns a text that may be invalid, with U+FFFD for bytes that are not UTF-8; empty if the bytes cannot be located. */
export function readLooseText(reader: Reader, at: number, depth: number): string {
  const begin = reader.locateBytes(at, depth);
  if (begin === -1 || reader.length === 0) return "";
  const end = begin + reader.length;
  return utf8Slice.call(reader.bytes, begin, reader.bytes[end - 1] === 0 ? end - 1 : end);
}

/** Returns the text before the zero byte that must end these bytes; `undefined` if there is no such byte, or the text is not UTF-8. */
export function parseText(bytes: Uint8Array, at: number, end: number): string | undefined {
  return bytes[end - 1] === 0 ? parseUtf8(bytes, at, end - 1) : undefined;
}

const { utf8Slice } = Buffer.prototype;

function parseUtf8(bytes: Uint8Array, at: number, end: number): string | undefined {
  // `utf8Slice` reads the bytes in place: copying them into a Buffer first would cost twice as much.
  const text = utf8Slice.call(bytes, at, end);
  // The decoder puts U+FFFD in place of wrong bytes. The text itself may also contain this character. Encoding the
  // text again tells the two apart: only a valid text gives the same bytes.
  return text.includes("\ufffd") && Buffer.compare(bytes.subarray(at, end), Buffer.from(text)) !== 0 ? undefined : text;
}

export function dataAt(reader: Reader, at: number, depth: number): Uint8Array {
  const begin = reader.locateBytes(at, depth);
  return begin === -1 ? EMPTY_BYTES : reader.copyBytes(begin, reader.length);
}

/** Reads the struct that a pointer leads to. */
function makeStructReader(layout: () => StructLayout<unknown>, structs: StructCodes): Follow {
  return (reader, at, depth) => readStruct(reader, at, structs(layout()), depth);
}

export function readStruct(reader: Reader, at: number, code: StructCode, depth: number): unknown {
  const sections = reader.struct(at, depth);
  if (sections === undefined || !reader.affords(code.values)) return code.empty();
  if (reader.isStrict) code.refuseStrangers(reader, sections);
  const value: Record<string, unknown> = {};
  code.get(reader, sections, depth, value);
  return value;
}

function listAt(element: FieldType, structs: StructCodes): Follow {
  switch (element.kind) {
    case "void":
      return readVoids;
    case "struct":
      return makeStructsReader(element.layout, structs);
    case "text":
    case "data":
    case "list":
      return makePointersReader(follow(element, structs));
    case "interface":
    case "group":
      return bug("capabilities and groups are no elements of lists");
    default:
      return makeScalarsReader(element);
  }
}

const readVoids: Follow = (reader, at, depth) => {
  const found = reader.list(at, depth, ELEMENTS.void, 0);
  return found === undefined || !reader.affords(found.count) ? EMPTY_LIST : new Array(found.count).fill(undefined);
};

function makeScalarsReader(type: ScalarType | EnumLayout): Follow {
  const code = getScalarCode(type);
  return (reader, at, depth) => {
    const found = reader.list(at, depth, ELEMENTS_OF_BITS[code.bits], code.bits);
    if (found === undefined || !reader.affords(found.count)) return EMPTY_LIST;
    const values: unknown[] = [];
    for (let index = 0; index < found.count && reader.refused === undefined; index += 1) {
      values.push(code.get(reader.view, found.at, index) ?? refuseUnknownMember(reader, code.zero));
    }
    return values;
  };
}

function makePointersReader(get: Follow): Follow {
  return (reader, at, depth) => {
    const found = reader.list(at, depth, ELEMENTS.pointer, 64);
    if (found === undefined || !reader.affords(found.count)) return EMPTY_LIST;
    const values: unknown[] = [];
    for (let index = 0; index < found.count && reader.refused === undefined; index += 1) {
      values.push(get(reader, found.at + index * 8, depth + 1));
    }
    return values;
  };
}

function makeStructsReader(layout: () => StructLayout<unknown>, structs: StructCodes): Follow {
  return (reader, at, depth) => {
    const found = reader.structs(at, depth);
    const { get, values: each, refuseStrangers } = structs(layout());
    if (found === undefined || !reader.affords(found.count * each)) return EMPTY_LIST;
    const { dataWords, pointerCount } = found;
    const values: unknown[] = [];
    for (let index = 0; index < found.count && reader.refused === undefined; index += 1) {
      const data = found.at + index * (dataWords + pointerCount) * 8;
      const value: Record<string, unknown> = {};
      const sections = { data, dataWords, pointers: data + dataWords * 8, pointerCount };
      if (reader.isStrict) refuseStrangers(reader, sections);
      get(reader, sections, depth, value);
      values.push(value);
    }
    return values;
  };
}
