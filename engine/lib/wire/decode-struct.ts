// Fields, groups and unions inside the sections of their struct.

import { type Follow, type Get, type StructCode, unknownMember } from "./decode-code.ts";
import { emptyOf, follow, structIn } from "./decode-pointer.ts";
import { type EnumLayout, type FieldLayout, type ScalarType, type Shape, type StructLayout, WHICH } from "./layout.ts";
import { FILE_LIMITS } from "./limits.ts";
import { Reader, type Sections } from "./reader.ts";
import { fieldCode, reachOf, scalarCode } from "./scalar.ts";

const codes = new WeakMap<StructLayout<unknown>, StructCode>();

/** The code that reads structs of a layout; made once. */
export function structCode(layout: StructLayout<unknown>): StructCode {
  const known = codes.get(layout);
  if (known !== undefined) return known;
  const shape = layout.shape();
  const get = shapeGet(shape);
  let empty: unknown;
  const code: StructCode = { values: valuesIn(shape), get, empty: () => (empty ??= frozen(emptyValue(get))) };
  codes.set(layout, code);
  return code;
}

/** Reads the struct that the pointer at a byte leads to, by its own code where it has some. */
export function structOf(reader: Reader, at: number, layout: StructLayout<unknown>, depth: number): unknown {
  const { quick } = layout;
  return quick === undefined
    ? structIn(reader, at, structCode(layout), depth)
    : (quick.get(reader, at, depth) ?? emptyStruct(layout));
}

/** What a null pointer to such a struct says. */
export function emptyStruct(layout: StructLayout<unknown>): unknown {
  return structCode(layout).empty();
}

function valuesIn(shape: Shape): number {
  const members = shape.union === undefined ? 0 : 1 + Math.max(...shape.union.members.map(valuesOf));
  return shape.fields.reduce((sum, field) => sum + valuesOf(field), 1 + members);
}

function valuesOf({ type }: FieldLayout): number {
  return type.kind === "group" ? valuesIn(type.shape) : 1;
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

function shapeGet(shape: Shape): Get {
  const fields = shape.fields.filter((field) => field.type.kind !== "void").map(fieldGet);
  const union = shape.union === undefined ? undefined : unionGet(shape.union);
  return (reader, sections, depth, into) => {
    for (let index = 0; index < fields.length; index += 1) fields[index]?.(reader, sections, depth, into);
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
      return pointerGet(name, offset, follow(type, structCode), emptyOf(type, structCode));
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

/** No capability travels inside a message: it is the connection itself. */
const noCapability: Follow = (reader, at) => {
  if (reader.view.getBigUint64(at, true) !== 0n) reader.refuse("there is a pointer where a capability would stand");
  return null;
};
