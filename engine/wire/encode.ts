// The writer: a value and its layout to the canonical form of Cap'n Proto. Canonical means: one segment; each object right
// behind what was written before it, in the order in which the pointers stand; data and pointer sections without the zeros
// at their end. A value that is all default is a null pointer, so that one value has one form. What does not fit its layout
// is a defect of the caller and throws: text that comes from outside must be well-formed before it gets here.

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
import { FILE_LIMITS } from "./limits.ts";
import { fieldCode, reachOf, scalarCode } from "./scalar.ts";
import { ELEMENTS, ELEMENTS_OF_BITS, MAX_ELEMENTS, Writer } from "./writer.ts";

type Value = Readonly<Record<string, unknown>>;

/** Words and pointers in use. */
interface Extent {
  dataWords: number;
  pointers: number;
}

/** A field, a group or a whole struct inside the sections of its struct. */
interface SectionCode {
  /** Widens `extent` to what the value needs. */
  readonly measure: (value: unknown, extent: Extent, depth: number) => void;
  readonly put: (writer: Writer, data: number, pointers: number, value: unknown, depth: number) => void;
}

/** What a pointer leads to. */
interface PointerCode {
  readonly isEmpty: (value: unknown, depth: number) => boolean;
  readonly put: (writer: Writer, at: number, value: unknown, depth: number) => void;
}

/** The canonical form of a value, without a stream header. */
export function encode<T>(layout: StructLayout<T>, value: T): Uint8Array {
  const writer = new Writer();
  putRoot(writer, layout, value);
  return writer.finished();
}

/** The canonical form behind the stream header of one segment: what stands in files and on connections. */
export function encodeMessage<T>(layout: StructLayout<T>, value: T): Uint8Array {
  const writer = new Writer();
  writer.allocate(1);
  putRoot(writer, layout, value);
  writer.view.setUint32(4, (writer.end - 8) / 8, true);
  return writer.finished();
}

function putRoot(writer: Writer, layout: StructLayout<unknown>, value: unknown): void {
  const root = writer.allocate(1);
  const code = structCode(layout);
  const extent = extentOf(code, value, 1);
  // The root is never null: an empty struct has a pointer of its own kind, which leads to itself.
  if (isNothing(extent)) writer.structPointer(root, root, 0, 0);
  else putStruct(writer, root, code, extent, value, 1);
}

const codes = new WeakMap<StructLayout<unknown>, SectionCode>();

function structCode(layout: StructLayout<unknown>): SectionCode {
  const known = codes.get(layout);
  if (known !== undefined) return known;
  const made = shapeCode(layout.name, layout.shape());
  codes.set(layout, made);
  return made;
}

function shapeCode(where: string, shape: Shape): SectionCode {
  const fields = shape.fields.filter((field) => field.type.kind !== "void" && field.type.kind !== "interface");
  const parts = fields.map((field) => ({ name: field.name, code: memberCode(`${where}.${field.name}`, field) }));
  const union = shape.union === undefined ? undefined : unionCode(where, shape.union);
  return {
    measure: (value, extent, depth) => {
      const record = recordOf(where, value);
      for (const part of parts) part.code.measure(record[part.name], extent, depth);
      union?.measure(record, extent, depth);
    },
    put: (writer, data, pointers, value, depth) => {
      const record = value as Value;
      for (const part of parts) part.code.put(writer, data, pointers, record[part.name], depth);
      union?.put(writer, data, pointers, record, depth);
    },
  };
}

function recordOf(where: string, value: unknown): Value {
  return typeof value === "object" && value !== null ? (value as Value) : unfit(where, value);
}

function unfit(where: string, value: unknown): never {
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value).slice(0, 80);
  return bug(`${where} cannot hold ${shown} (${typeof value})`);
}

function unionCode(where: string, union: NonNullable<Shape["union"]>): SectionCode {
  const members = new Map(
    union.members.map((member, tag) => [member.name, { tag, code: memberCode(`${where}.${member.name}`, member) }]),
  );
  const reach = reachOf(16, union.tagOffset);
  const chosen = (value: unknown) => {
    const which = (value as Value)[WHICH];
    return members.get(which as string) ?? unfit(`${where}.which`, which);
  };
  return {
    measure: (value, extent, depth) => {
      const { tag, code } = chosen(value);
      if (tag !== 0 && reach > extent.dataWords) extent.dataWords = reach;
      code.measure((value as Value)[(value as Value)[WHICH] as string], extent, depth);
    },
    put: (writer, data, pointers, value, depth) => {
      const { tag, code } = chosen(value);
      if (tag !== 0) writer.view.setUint16(data + union.tagOffset * 2, tag, true);
      code.put(writer, data, pointers, (value as Value)[(value as Value)[WHICH] as string], depth);
    },
  };
}

const silent: SectionCode = { measure: () => {}, put: () => {} };

function memberCode(where: string, field: FieldLayout): SectionCode {
  const { type } = field;
  switch (type.kind) {
    case "void":
    case "interface":
      return silent;
    case "group":
      return shapeCode(where, type.shape);
    case "text":
    case "data":
    case "list":
    case "struct":
      return pointerMember(pointerCode(where, type), field.offset);
    default:
      return scalarMember(where, field, type);
  }
}

function pointerMember(code: PointerCode, index: number): SectionCode {
  return {
    measure: (value, extent, depth) => {
      if (index >= extent.pointers && !code.isEmpty(value, depth + 1)) extent.pointers = index + 1;
    },
    put: (writer, _data, pointers, value, depth) => {
      if (!code.isEmpty(value, depth + 1)) code.put(writer, pointers + index * 8, value, depth + 1);
    },
  };
}

function scalarMember(where: string, field: FieldLayout, type: ScalarType | EnumLayout): SectionCode {
  const code = fieldCode(field, scalarCode(type));
  const { offset } = field;
  const reach = reachOf(code.bits, offset);
  return {
    measure: (value, extent) => {
      if (!code.fits(value)) unfit(where, value);
      if (reach > extent.dataWords && !code.isZero(value)) extent.dataWords = reach;
    },
    put: (writer, data, _pointers, value) => {
      if (!code.isZero(value)) code.put(writer.view, data, offset, value);
    },
  };
}

function extentOf(code: SectionCode, value: unknown, depth: number): Extent {
  if (depth > FILE_LIMITS.depth) bug(`a value nested more than ${FILE_LIMITS.depth} deep was given to the writer`);
  const extent: Extent = { dataWords: 0, pointers: 0 };
  code.measure(value, extent, depth);
  return extent;
}

function isNothing(extent: Extent): boolean {
  return extent.dataWords === 0 && extent.pointers === 0;
}

function putStruct(writer: Writer, at: number, code: SectionCode, extent: Extent, value: unknown, depth: number): void {
  const target = writer.allocate(extent.dataWords + extent.pointers);
  writer.structPointer(at, target, extent.dataWords, extent.pointers);
  code.put(writer, target, target + extent.dataWords * 8, value, depth);
}

function pointerCode(where: string, type: FieldType): PointerCode {
  switch (type.kind) {
    case "text":
      return textCode(where);
    case "data":
      return dataCode(where);
    case "struct":
      return structPointerCode(type.layout);
    case "list":
      return listCode(`${where}[]`, type.element);
    default:
      return bug(`${where} is no pointer`);
  }
}

function textCode(where: string): PointerCode {
  return {
    isEmpty: (value) => value === "",
    put: (writer, at, value) => {
      if (typeof value !== "string" || !value.isWellFormed()) unfit(where, value);
      const length = Buffer.byteLength(value);
      const target = writer.allocate((length + 8) >>> 3);
      writer.bytes.write(value, target);
      writer.listPointer(at, target, ELEMENTS.byte, length + 1);
    },
  };
}

function dataCode(where: string): PointerCode {
  return {
    isEmpty: (value) => value instanceof Uint8Array && value.length === 0,
    put: (writer, at, value) => {
      if (!(value instanceof Uint8Array)) unfit(where, value);
      const target = writer.allocate((value.length + 7) >>> 3);
      writer.bytes.set(value, target);
      writer.listPointer(at, target, ELEMENTS.byte, value.length);
    },
  };
}

function structPointerCode(layout: () => StructLayout<unknown>): PointerCode {
  return {
    isEmpty: (value, depth) => isNothing(extentOf(structCode(layout()), value, depth)),
    put: (writer, at, value, depth) => {
      const code = structCode(layout());
      putStruct(writer, at, code, extentOf(code, value, depth), value, depth);
    },
  };
}

function listCode(where: string, element: FieldType): PointerCode {
  const put = listPut(where, element);
  return {
    isEmpty: (value) => Array.isArray(value) && value.length === 0,
    put: (writer, at, value, depth) => put(writer, at, Array.isArray(value) ? value : unfit(where, value), depth),
  };
}

type ListPut = (writer: Writer, at: number, values: readonly unknown[], depth: number) => void;

function listPut(where: string, element: FieldType): ListPut {
  switch (element.kind) {
    case "void":
      return (writer, at, values) => writer.listPointer(at, writer.end, ELEMENTS.void, values.length);
    case "struct":
      return (writer, at, values, depth) => putStructs(writer, at, structCode(element.layout()), values, depth);
    case "text":
    case "data":
    case "list":
      return pointersPut(pointerCode(where, element));
    case "interface":
    case "group":
      return bug(`${where} cannot be elements of a list`);
    default:
      return scalarsPut(where, element);
  }
}

function scalarsPut(where: string, type: ScalarType | EnumLayout): ListPut {
  const code = scalarCode(type);
  return (writer, at, values) => {
    const target = writer.allocate(Math.ceil((values.length * code.bits) / 64));
    writer.listPointer(at, target, ELEMENTS_OF_BITS[code.bits], values.length);
    const { view } = writer;
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index];
      if (!code.fits(value)) unfit(where, value);
      code.put(view, target, index, value);
    }
  };
}

function pointersPut(code: PointerCode): ListPut {
  return (writer, at, values, depth) => {
    const target = writer.allocate(values.length);
    writer.listPointer(at, target, ELEMENTS.pointer, values.length);
    values.forEach((value, index) => {
      if (!code.isEmpty(value, depth + 1)) code.put(writer, target + index * 8, value, depth + 1);
    });
  };
}

/** All elements have the size of the largest one: that is what the canonical form asks for. */
function putStructs(writer: Writer, at: number, code: SectionCode, values: readonly unknown[], depth: number): void {
  const extent = extentOf({ measure: measureAll(code), put: code.put }, values, depth);
  const words = extent.dataWords + extent.pointers;
  if (values.length > MAX_ELEMENTS) bug(`a list of ${values.length} structs was given to the writer`);
  const target = writer.allocate(1 + words * values.length);
  writer.listPointer(at, target, ELEMENTS.composite, words * values.length);
  writer.view.setUint32(target, (values.length << 2) >>> 0, true);
  writer.view.setUint16(target + 4, extent.dataWords, true);
  writer.view.setUint16(target + 6, extent.pointers, true);
  values.forEach((value, index) => {
    const data = target + 8 + index * words * 8;
    code.put(writer, data, data + extent.dataWords * 8, value, depth);
  });
}

function measureAll(code: SectionCode): SectionCode["measure"] {
  return (values, extent, depth) => {
    for (const value of values as readonly unknown[]) code.measure(value, extent, depth);
  };
}
