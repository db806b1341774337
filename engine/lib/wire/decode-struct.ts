// Reads fields, groups and unions inside the sections of their struct.

import { type Follow, type Get, refuseUnknownMember, type StructCode } from "./decode-code.ts";
import { follow, makeEmptyGetter, readStruct } from "./decode-pointer.ts";
import { type EnumLayout, type FieldLayout, type ScalarType, type Shape, type StructLayout, WHICH } from "./layout.ts";
import { FILE_LIMITS } from "./limits.ts";
import { Reader, type Sections } from "./reader.ts";
import { getScalarCode, makeFieldCode, reachOf } from "./scalar.ts";

const codes = new WeakMap<StructLayout<unknown>, StructCode>();

/** Returns the code that reads structs of a layout; the code is made once. */
export function getStructDecoder(layout: StructLayout<unknown>): StructCode {
  const known = codes.get(layout);
  if (known !== undefined) return known;
  const shape = layout.shape();
  const get = compileShapeReader(shape);
  let empty: unknown;
  const code: StructCode = {
    values: countValues(shape),
    get,
    empty: () => (empty ??= freezeDeeply(makeEmptyValue(get))),
    refuseStrangers: compileStrangers(shape),
  };
  codes.set(layout, code);
  return code;
}

/** Reads the struct to which the pointer at the byte `at` points, with its generated code if it has some. */
export function structOf(reader: Reader, at: number, layout: StructLayout<unknown>, depth: number): unknown {
  const { quick } = layout;
  return quick === undefined
    ? readStruct(reader, at, getStructDecoder(layout), depth)
    : (quick.get(reader, at, depth) ?? emptyStruct(layout));
}

/** Returns the value of a null pointer to a struct of this layout. */
export function emptyStruct(layout: StructLayout<unknown>): unknown {
  return getStructDecoder(layout).empty();
}

function countValues(shape: Shape): number {
  const members = shape.union === undefined ? 0 : 1 + Math.max(...shape.union.members.map(countFieldValues));
  return shape.fields.reduce((sum, field) => sum + countFieldValues(field), 1 + members);
}

function countFieldValues({ type }: FieldLayout): number {
  return type.kind === "group" ? countValues(type.shape) : 1;
}

/** The bits of each data word, and the pointers, that the fields of a struct use. */
interface Known {
  readonly bits: bigint[];
  readonly pointers: Set<number>;
}

function compileStrangers(shape: Shape): StructCode["refuseStrangers"] {
  const known: Known = { bits: [], pointers: new Set() };
  collectKnown(shape, known);
  return (reader, { data, dataWords, pointers, pointerCount }) => {
    const { view } = reader;
    for (let word = 0; word < dataWords; word += 1)
      if ((view.getBigUint64(data + word * 8, true) & ~(known.bits[word] ?? 0n)) !== 0n) reader.refuse(STRANGER);
    for (let index = 0; index < pointerCount; index += 1)
      if (!known.pointers.has(index) && view.getBigUint64(pointers + index * 8, true) !== 0n) reader.refuse(STRANGER);
  };
}

const STRANGER = "a struct holds a field that is not known here";

function collectKnown({ fields, union }: Shape, known: Known): void {
  if (union !== undefined) addBits(known, 16, union.tagOffset);
  for (const { type, offset } of [...fields, ...(union?.members ?? [])]) {
    if (type.kind === "group") collectKnown(type.shape, known);
    else if (POINTERS.has(type.kind)) known.pointers.add(offset);
    else if (type.kind !== "void") addBits(known, getScalarCode(type as ScalarType | EnumLayout).bits, offset);
  }
}

const POINTERS: ReadonlySet<string> = new Set(["text", "data", "list", "struct", "interface"]);

function addBits({ bits }: Known, width: number, offset: number): void {
  const word = Math.floor((offset * width) / 64);
  const mask = ((1n << BigInt(width)) - 1n) << BigInt((offset * width) % 64);
  while (bits.length <= word) bits.push(0n);
  bits[word] = (bits[word] ?? 0n) | mask;
}

const NO_SECTIONS: Sections = { data: 0, dataWords: 0, pointers: 0, pointerCount: 0 };

function makeEmptyValue(get: Get): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  get(new Reader(new Uint8Array(8), FILE_LIMITS), NO_SECTIONS, 1, value);
  return value;
}

/**
 * Freezes a shared value, so that none of its users can change it. Byte arrays are not frozen, because an empty one
 * has no content to change.
 */
function freezeDeeply<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freezeDeeply(inner);
  return Object.freeze(value);
}

function compileShapeReader(shape: Shape): Get {
  const fields = shape.fields.filter((field) => field.type.kind !== "void").map(compileFieldReader);
  const union = shape.union === undefined ? undefined : compileUnionReader(shape.union);
  return (reader, sections, depth, into) => {
    for (let index = 0; index < fields.length; index += 1) fields[index]?.(reader, sections, depth, into);
    union?.(reader, sections, depth, into);
  };
}

function compileUnionReader(union: NonNullable<Shape["union"]>): Get {
  const members = union.members.map((member) => ({ name: member.name, get: compileFieldReader(member) }));
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

function compileFieldReader(field: FieldLayout): Get {
  const { name, type, offset } = field;
  switch (type.kind) {
    case "void":
      return () => {};
    case "group":
      return groupGet(name, compileShapeReader(type.shape));
    case "interface":
      return compilePointerReader(name, offset, refuseCapability, () => null);
    case "text":
    case "data":
    case "list":
    case "struct":
      return compilePointerReader(
        name,
        offset,
        follow(type, getStructDecoder),
        makeEmptyGetter(type, getStructDecoder),
      );
    default:
      return compileScalarReader(field, type);
  }
}

function groupGet(name: string, get: Get): Get {
  return (reader, sections, depth, into) => {
    const value: Record<string, unknown> = {};
    get(reader, sections, depth, value);
    into[name] = value;
  };
}

function compilePointerReader(name: string, index: number, get: Follow, empty: () => unknown): Get {
  return (reader, sections, depth, into) => {
    const { pointerCount, pointers } = sections;
    into[name] = index < pointerCount ? get(reader, pointers + index * 8, depth + 1) : empty();
  };
}

function compileScalarReader(field: FieldLayout, type: ScalarType | EnumLayout): Get {
  const { name, offset } = field;
  const code = makeFieldCode(field, getScalarCode(type));
  const reach = reachOf(code.bits, offset);
  return (reader, sections, _depth, into) => {
    const value = reach > sections.dataWords ? code.zero : code.get(reader.view, sections.data, offset);
    into[name] = value === undefined ? refuseUnknownMember(reader, code.zero) : value;
  };
}

/** Refuses a pointer to a capability: a message never contains capabilities, because each connection is one capability. */
const refuseCapability: Follow = (reader, at) => {
  if (reader.view.getBigUint64(at, true) !== 0n) reader.refuse("there is a pointer where a capability would stand");
  return null;
};
