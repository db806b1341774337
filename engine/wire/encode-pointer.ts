// Text, bytes, lists, and pointers to structs, in canonical form.

import { bug } from "./bug.ts";
import {
  extentOf,
  isNothing,
  type PointerCode,
  putStruct,
  type SectionCode,
  type StructCodes,
  unfit,
} from "./encode-code.ts";
import type { EnumLayout, FieldType, ScalarType, StructLayout } from "./layout.ts";
import { scalarCode } from "./scalar.ts";
import { ELEMENTS, ELEMENTS_OF_BITS, MAX_ELEMENTS, type Writer } from "./writer.ts";

/** The code of what a pointer of this type leads to. */
export function pointerCode(where: string, type: FieldType, structs: StructCodes): PointerCode {
  switch (type.kind) {
    case "text":
      return textCode(where);
    case "data":
      return dataCode(where);
    case "struct":
      return structPointerCode(type.layout, structs);
    case "list":
      return listCode(`${where}[]`, type.element, structs);
    default:
      return bug(`${where} is no pointer`);
  }
}

function textCode(where: string): PointerCode {
  return {
    isEmpty: (value) => value === "",
    put: (writer, at, value) => {
      if (typeof value !== "string") unfit(where, value);
      if (value.length <= SHORT && putAscii(writer, at, value)) return;
      if (!value.isWellFormed()) unfit(where, value);
      const length = Buffer.byteLength(value);
      const target = writer.allocate((length + 8) >>> 3);
      writer.bytes.write(value, target);
      writer.listPointer(at, target, ELEMENTS.byte, length + 1);
    },
  };
}

/** Above this the engine's own writer is faster than one character after the other. */
const SHORT = 64;

/** Whether it was put; where not, nothing was. */
function putAscii(writer: Writer, at: number, text: string): boolean {
  const target = writer.allocate((text.length + 8) >>> 3);
  const { bytes } = writer;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) {
      writer.takeBack(target);
      return false;
    }
    bytes[target + index] = code;
  }
  writer.listPointer(at, target, ELEMENTS.byte, text.length + 1);
  return true;
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

function structPointerCode(layout: () => StructLayout<unknown>, structs: StructCodes): PointerCode {
  return {
    isEmpty: (value, depth) => isNothing(extentOf(structs(layout()), value, depth)),
    put: (writer, at, value, depth) => {
      const code = structs(layout());
      putStruct(writer, at, code, extentOf(code, value, depth), value, depth);
    },
  };
}

function listCode(where: string, element: FieldType, structs: StructCodes): PointerCode {
  const put = listPut(where, element, structs);
  return {
    isEmpty: (value) => Array.isArray(value) && value.length === 0,
    put: (writer, at, value, depth) => put(writer, at, Array.isArray(value) ? value : unfit(where, value), depth),
  };
}

type ListPut = (writer: Writer, at: number, values: readonly unknown[], depth: number) => void;

function listPut(where: string, element: FieldType, structs: StructCodes): ListPut {
  switch (element.kind) {
    case "void":
      return (writer, at, values) => writer.listPointer(at, writer.end, ELEMENTS.void, values.length);
    case "struct":
      return (writer, at, values, depth) => putStructs(writer, at, structs(element.layout()), values, depth);
    case "text":
    case "data":
    case "list":
      return pointersPut(pointerCode(where, element, structs));
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
