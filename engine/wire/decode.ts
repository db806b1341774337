// The reader: bytes that may come from anyone to a value of a layout, or the reason why not. It never throws, whatever the
// bytes, reads no word twice, follows at most 32 pointers into each other, and takes no list for a list of another layout.
// Fields that the layout does not know are left out; members of enums and unions that it does not know are refused.

import { bug } from "./bug.ts";
import {
  type EnumLayout,
  type FieldLayout,
  type FieldType,
  type ScalarType,
  type Shape,
  type StructLayout,
  WHICH,
} from "./layout.ts";
import { FILE_LIMITS, type Limits } from "./limits.ts";
import { Reader, type Sections } from "./reader.ts";
import { fieldCode, reachOf, scalarCode } from "./scalar.ts";
import { ELEMENTS, ELEMENTS_OF_BITS } from "./writer.ts";

export type Decoded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** Reads a message without stream header. */
export function decode<T>(layout: StructLayout<T>, bytes: Uint8Array, limits: Limits = FILE_LIMITS): Decoded<T> {
  if (bytes.length > limits.bytes) return refused(`${bytes.length} bytes are more than ${limits.bytes}`);
  if (bytes.length === 0 || bytes.length % 8 !== 0) return refused(`${bytes.length} bytes are not a number of words`);
  const reader = new Reader(bytes, limits);
  const value = structAt(layout)(reader, 0, 1);
  return reader.refused === undefined ? { ok: true, value: value as T } : refused(reader.refused);
}

/** Reads a message of one segment behind its stream header. */
export function decodeMessage<T>(layout: StructLayout<T>, bytes: Uint8Array, limits?: Limits): Decoded<T> {
  if (bytes.length < 8) return refused(`${bytes.length} bytes are too few for a header`);
  const header = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const segments = header.getUint32(0, true) + 1;
  if (segments !== 1) return refused(`the message has ${segments} segments; only one is taken`);
  const words = header.getUint32(4, true);
  if (words * 8 !== bytes.length - 8)
    return refused(`the header claims ${words} words; ${bytes.length - 8} bytes follow`);
  return decode(layout, bytes.subarray(8), limits);
}

function refused(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

type Get = (reader: Reader, sections: Sections, depth: number, into: Record<string, unknown>) => void;
/** Reads what the pointer at a byte leads to. */
type Follow = (reader: Reader, at: number, depth: number) => unknown;

interface StructCode {
  readonly get: Get;
  /** The value of a null pointer, shared by all of them. */
  readonly empty: () => unknown;
}

const codes = new WeakMap<StructLayout<unknown>, StructCode>();

function structCode(layout: StructLayout<unknown>): StructCode {
  const known = codes.get(layout);
  if (known !== undefined) return known;
  const get = shapeGet(layout.shape());
  let empty: unknown;
  const code: StructCode = { get, empty: () => (empty ??= frozen(emptyValue(get))) };
  codes.set(layout, code);
  return code;
}

const NO_SECTIONS: Sections = { data: 0, dataWords: 0, pointers: 0, pointerCount: 0 };

function emptyValue(get: Get): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  get(new Reader(new Uint8Array(8), FILE_LIMITS), NO_SECTIONS, 1, value);
  return value;
}

/** Shared values must not be changed by one of their users. (An empty byte array holds nothing that could be.) */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

function structAt(layout: StructLayout<unknown>): Follow {
  return (reader, at, depth) => {
    const code = structCode(layout);
    const sections = reader.struct(at, depth);
    if (sections === undefined) return code.empty();
    const value: Record<string, unknown> = {};
    code.get(reader, sections, depth, value);
    return value;
  };
}

function shapeGet(shape: Shape): Get {
  const fields = shape.fields.filter((field) => field.type.kind !== "void").map(fieldGet);
  const union = shape.union === undefined ? undefined : unionGet(shape.union);
  return (reader, sections, depth, into) => {
    for (const get of fields) get(reader, sections, depth, into);
    union?.(reader, sections, depth, into);
  };
}

function unionGet(union: NonNullable<Shape["union"]>): Get {
  const members = union.members.map((member) => ({ name: member.name, get: fieldGet(member) }));
  const reach = reachOf(16, union.tagOffset);
  return (reader, sections, depth, into) => {
    const tag = reach > sections.dataWords ? 0 : reader.view.getUint16(sections.data + union.tagOffset * 2, true);
    const member = members[tag];
    if (member === undefined) {
      reader.refuse(`a union has the member ${tag}, which is not known here`);
      return;
    }
    into[WHICH] = member.name;
    member.get(reader, sections, depth, into);
  };
}

function fieldGet(field: FieldLayout): Get {
  const { name, type, offset } = field;
  switch (type.kind) {
    case "void":
      return () => {};
    case "group":
      return groupGet(name, shapeGet(type.shape));
    case "interface":
      return pointerGet(name, offset, noCapability, () => null);
    case "text":
    case "data":
    case "list":
    case "struct":
      return pointerGet(name, offset, follow(type), emptyOf(type));
    default:
      return scalarGet(field, type);
  }
}

function groupGet(name: string, get: Get): Get {
  return (reader, sections, depth, into) => {
    const value: Record<string, unknown> = {};
    get(reader, sections, depth, value);
    into[name] = value;
  };
}

function pointerGet(name: string, index: number, get: Follow, empty: () => unknown): Get {
  return (reader, sections, depth, into) => {
    const { pointerCount, pointers } = sections;
    into[name] = index < pointerCount ? get(reader, pointers + index * 8, depth + 1) : empty();
  };
}

function scalarGet(field: FieldLayout, type: ScalarType | EnumLayout): Get {
  const { name, offset } = field;
  const code = fieldCode(field, scalarCode(type));
  const reach = reachOf(code.bits, offset);
  return (reader, sections, _depth, into) => {
    const value = reach > sections.dataWords ? code.zero : code.get(reader.view, sections.data, offset);
    into[name] = value === undefined ? unknownMember(reader, code.zero) : value;
  };
}

function unknownMember(reader: Reader, zero: unknown): unknown {
  reader.refuse("an enum has a member that is not known here");
  return zero;
}

/** No capability travels inside a message: it is the connection itself. */
const noCapability: Follow = (reader, at) => {
  if (reader.view.getBigUint64(at, true) !== 0n) reader.refuse("there is a pointer where a capability would stand");
  return null;
};

const EMPTY_BYTES = new Uint8Array(0);
const EMPTY_LIST: readonly unknown[] = Object.freeze([]);

function emptyOf(type: FieldType): () => unknown {
  switch (type.kind) {
    case "text":
      return () => "";
    case "data":
      return () => EMPTY_BYTES;
    case "list":
      return () => EMPTY_LIST;
    case "struct":
      return () => structCode(type.layout()).empty();
    default:
      return bug("only pointers are empty");
  }
}

function follow(type: FieldType): Follow {
  switch (type.kind) {
    case "text":
      return textAt;
    case "data":
      return dataAt;
    case "list":
      return listAt(type.element);
    case "struct":
      return (reader, at, depth) => structAt(type.layout())(reader, at, depth);
    default:
      return bug("only pointers are followed");
  }
}

const textAt: Follow = (reader, at, depth) => {
  const found = reader.list(at, depth, ELEMENTS.byte, 8);
  if (found === undefined) return "";
  const end = found.at + found.count - 1;
  if (found.count === 0 || reader.bytes[end] !== 0) return reader.refuse("a text does not end with a zero byte") ?? "";
  const text = reader.bytes.toString("utf8", found.at, end);
  // The decoder puts U+FFFD where bytes are wrong; it may also stand there rightly, which the way back shows.
  if (text.includes("\ufffd") && !reader.bytes.subarray(found.at, end).equals(Buffer.from(text))) {
    reader.refuse("a text is not UTF-8");
  }
  return text;
};

const dataAt: Follow = (reader, at, depth) => {
  const found = reader.list(at, depth, ELEMENTS.byte, 8);
  return found === undefined ? EMPTY_BYTES : new Uint8Array(reader.bytes.subarray(found.at, found.at + found.count));
};

function listAt(element: FieldType): Follow {
  switch (element.kind) {
    case "void":
      return voidsAt;
    case "struct":
      return structsAt(element.layout);
    case "text":
    case "data":
    case "list":
      return pointersAt(follow(element));
    case "interface":
    case "group":
      return bug("capabilities and groups are no elements of lists");
    default:
      return scalarsAt(element);
  }
}

const voidsAt: Follow = (reader, at, depth) => {
  const found = reader.list(at, depth, ELEMENTS.void, 0);
  return found === undefined ? EMPTY_LIST : new Array(found.count).fill(undefined);
};

function scalarsAt(type: ScalarType | EnumLayout): Follow {
  const code = scalarCode(type);
  return (reader, at, depth) => {
    const found = reader.list(at, depth, ELEMENTS_OF_BITS[code.bits], code.bits);
    if (found === undefined) return EMPTY_LIST;
    const values: unknown[] = [];
    for (let index = 0; index < found.count && reader.refused === undefined; index += 1) {
      values.push(code.get(reader.view, found.at, index) ?? unknownMember(reader, code.zero));
    }
    return values;
  };
}

function pointersAt(get: Follow): Follow {
  return (reader, at, depth) => {
    const found = reader.list(at, depth, ELEMENTS.pointer, 64);
    if (found === undefined) return EMPTY_LIST;
    const values: unknown[] = [];
    for (let index = 0; index < found.count && reader.refused === undefined; index += 1) {
      values.push(get(reader, found.at + index * 8, depth + 1));
    }
    return values;
  };
}

function structsAt(layout: () => StructLayout<unknown>): Follow {
  return (reader, at, depth) => {
    const found = reader.structs(at, depth);
    if (found === undefined) return EMPTY_LIST;
    const { dataWords, pointerCount } = found;
    const { get } = structCode(layout());
    const values: unknown[] = [];
    for (let index = 0; index < found.count && reader.refused === undefined; index += 1) {
      const data = found.at + index * (dataWords + pointerCount) * 8;
      const value: Record<string, unknown> = {};
      get(reader, { data, dataWords, pointers: data + dataWords * 8, pointerCount }, depth, value);
      values.push(value);
    }
    return values;
  };
}
