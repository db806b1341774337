// Writes text, bytes, lists, and pointers to structs in canonical form.

import { bug } from "../result/bug.ts";
import {
  isBlank,
  measureExtent,
  type PointerCode,
  putStruct,
  rejectUnfitValue,
  type SectionCode,
  type StructCodes,
} from "./encode-code.ts";
import type { EnumLayout, FieldType, ScalarType, StructLayout } from "./layout.ts";
import { getScalarCode } from "./scalar.ts";
import { ELEMENTS, ELEMENTS_OF_BITS, MAX_ELEMENTS, type Writer } from "./writer.ts";

/** Returns the code that writes values behind a pointer of this type. */
export function makePointerEncoder(where: string, type: FieldType, structs: StructCodes): PointerCode {
  switch (type.kind) {
    case "text":
      return makeTextEncoder(where);
    case "data":
      return makeDataEncoder(where);
    case "struct":
      return makeStructPointerEncoder(type.layout, structs);
    case "list":
      return listCode(`${where}[]`, type.element, structs);
    default:
      return bug(`${where} is no pointer`);
  }
}

function makeTextEncoder(where: string): PointerCode {
  return { isEmpty: (value) => value === "", put: (writer, at, value) => putText(writer, at, value, where) };
}

/** Writes a text, unless it is empty. `where`: name of the field, for the error if the value is not a text. */
export function putText(writer: Writer, at: number, value: unknown, where: string): void {
  if (value === "") return;
  if (typeof value !== "string") rejectUnfitValue(where, value);
  // A UTF-16 unit takes at most three bytes. Long texts are measured first, to use no more memory than they need.
  const most = value.length > LONG ? Buffer.byteLength(value) : value.length * 3;
  const target = writer.reserve(most);
  const length = writer.bytes.utf8Write(value, target);
  // A text with half a surrogate pair is refused, because it would be written as another character. A text with as many
  // bytes as UTF-16 units contains no surrogates, so it needs no check.
  if (length !== value.length && !value.isWellFormed()) rejectUnfitValue(where, value);
  writer.allocate((length + 8) >>> 3);
  writer.listPointer(at, target, ELEMENTS.byte, length + 1);
}

/**
 * Length above which a text is measured before it is written. For a shorter text the writer reserves three times its
 * length.
 */
const LONG = 1024;

function makeDataEncoder(where: string): PointerCode {
  return {
    isEmpty: (value) => value instanceof Uint8Array && value.length === 0,
    put: (writer, at, value) => putData(writer, at, value, where),
  };
}

/** Writes bytes, unless there are none. `where`: name of the field, for the error if the value is not bytes. */
export function putData(writer: Writer, at: number, value: unknown, where: string): void {
  if (!(value instanceof Uint8Array)) rejectUnfitValue(where, value);
  const { length } = value;
  if (length === 0) return;
  const target = writer.allocate((length + 7) >>> 3);
  writer.raw.set(value, target);
  writer.listPointer(at, target, ELEMENTS.byte, length);
}

function makeStructPointerEncoder(layout: () => StructLayout<unknown>, structs: StructCodes): PointerCode {
  return {
    isEmpty: (value, depth) => isBlank(structs(layout()), value, depth),
    put: (writer, at, value, depth) => putStruct(writer, at, structs(layout()), value, depth),
  };
}

function listCode(where: string, element: FieldType, structs: StructCodes): PointerCode {
  const put = listPut(where, element, structs);
  return {
    isEmpty: (value) => Array.isArray(value) && value.length === 0,
    put: (writer, at, value, depth) => {
      if (!Array.isArray(value)) rejectUnfitValue(where, value);
      if (value.length > 0) put(writer, at, value, depth);
    },
  };
}

type ListPut = (writer: Writer, at: number, values: readonly unknown[], depth: number) => void;

function listPut(where: string, element: FieldType, structs: StructCodes): ListPut {
  switch (element.kind) {
    case "void":
      return (writer, at, values) => writer.listPointer(at, writer.end, ELEMENTS.void, values.length);
    case "struct":
      return (writer, at, values, depth) => {
        const layout = element.layout();
        putStructs(writer, at, { code: structs(layout), layout }, values, depth);
      };
    case "text":
    case "data":
    case "list":
      return makePointersWriter(makePointerEncoder(where, element, structs));
    case "interface":
    case "group":
      return bug(`${where} cannot be elements of a list`);
    default:
      return makeScalarsWriter(where, element);
  }
}

function makeScalarsWriter(where: string, type: ScalarType | EnumLayout): ListPut {
  const code = getScalarCode(type);
  return (writer, at, values) => {
    const target = writer.allocate(Math.ceil((values.length * code.bits) / 64));
    writer.listPointer(at, target, ELEMENTS_OF_BITS[code.bits], values.length);
    const { view } = writer;
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index];
      if (!code.fits(value)) rejectUnfitValue(where, value);
      code.put(view, target, index, value);
    }
  };
}

function makePointersWriter(code: PointerCode): ListPut {
  return (writer, at, values, depth) => {
    const target = writer.allocate(values.length);
    writer.listPointer(at, target, ELEMENTS.pointer, values.length);
    for (let index = 0; index < values.length; index += 1) {
      code.put(writer, target + index * 8, values[index], depth + 1);
    }
  };
}

/** Writes a list of structs. The canonical form demands that all elements have the size of the largest one. */
function putStructs(writer: Writer, at: number, element: Element, values: readonly unknown[], depth: number): void {
  const { code } = element;
  const extent = measureExtent(measureAll(element), values, depth);
  const words = extent.dataWords + extent.pointers;
  if (values.length > MAX_ELEMENTS) bug(`a list of ${values.length} structs was given to the writer`);
  const target = writer.allocate(1 + words * values.length);
  writer.listPointer(at, target, ELEMENTS.composite, words * values.length);
  writer.view.setUint32(target, (values.length << 2) >>> 0, true);
  writer.view.setUint16(target + 4, extent.dataWords, true);
  writer.view.setUint16(target + 6, extent.pointers, true);
  for (let index = 0; index < values.length; index += 1) {
    const data = target + 8 + index * words * 8;
    code.put(writer, data, data + extent.dataWords * 8, values[index], depth);
  }
}

/** Structs of a list, with the section sizes of the largest struct. */
interface Element {
  readonly code: SectionCode;
  readonly layout: StructLayout<unknown>;
}

function measureAll({ code, layout }: Element): SectionCode["measure"] {
  return (values, extent, depth) => {
    for (const value of values as readonly unknown[]) {
      if (extent.pointers === layout.pointers && extent.dataWords === layout.dataWords) return;
      code.measure(value, extent, depth);
    }
  };
}
