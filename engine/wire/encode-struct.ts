// Fields, groups and unions inside the sections of their struct.

import { type PointerCode, type SectionCode, unfit, type Value } from "./encode-code.ts";
import { pointerCode, putText } from "./encode-pointer.ts";
import { type EnumLayout, type FieldLayout, type ScalarType, type Shape, type StructLayout, WHICH } from "./layout.ts";
import { fieldCode, reachOf, scalarCode } from "./scalar.ts";

const codes = new WeakMap<StructLayout<unknown>, SectionCode>();

/** The code that writes structs of a layout; made once. */
export function structCode(layout: StructLayout<unknown>): SectionCode {
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
      const record = recordOf(where, value);
      for (const part of parts) part.code.put(writer, data, pointers, record[part.name], depth);
      union?.put(writer, data, pointers, record, depth);
    },
  };
}

function recordOf(where: string, value: unknown): Value {
  return typeof value === "object" && value !== null ? (value as Value) : unfit(where, value);
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
      return textMember(where, field.offset);
    case "data":
    case "list":
    case "struct":
      return pointerMember(pointerCode(where, type, structCode), field.offset);
    default:
      return scalarMember(where, field, type);
  }
}

/** Most members are texts. */
function textMember(where: string, index: number): SectionCode {
  return {
    measure: (value, extent) => {
      if (index >= extent.pointers && value !== "") extent.pointers = index + 1;
    },
    put: (writer, _data, pointers, value) => putText(writer, pointers + index * 8, value, where),
  };
}

function pointerMember(code: PointerCode, index: number): SectionCode {
  return {
    measure: (value, extent, depth) => {
      if (index >= extent.pointers && !code.isEmpty(value, depth + 1)) extent.pointers = index + 1;
    },
    put: (writer, _data, pointers, value, depth) => code.put(writer, pointers + index * 8, value, depth + 1),
  };
}

function scalarMember(where: string, field: FieldLayout, type: ScalarType | EnumLayout): SectionCode {
  const code = fieldCode(field, scalarCode(type));
  const { offset } = field;
  const reach = reachOf(code.bits, offset);
  return {
    measure: (value, extent) => {
      if (reach > extent.dataWords && !code.isZero(value)) extent.dataWords = reach;
    },
    put: (writer, data, _pointers, value) => {
      if (code.isZero(value)) return;
      if (!code.fits(value)) unfit(where, value);
      code.put(writer.view, data, offset, value);
    },
  };
}
