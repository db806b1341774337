// Creates the JSON Schema of a wire record as the command line prints it. Bytes are hexadecimal. A 64-bit number is a number if JSON
// represents it exactly, and otherwise a text. The schema is derived from the layout with which records are read, so the two always
// agree.

import { type TSchema, Type } from "typebox";
import type { FieldLayout, FieldType, Shape, StructLayout } from "../../../engine/lib/wire/layout.ts";

/** Returns the schema of a record. The schema is closed: it refuses fields that the layout does not have. */
export function createRecordSchema(layout: StructLayout<unknown>): TSchema {
  return createStructSchema(layout, []);
}

/** The records that enclose a field, outermost first. */
type Around = readonly StructLayout<unknown>[];

function createStructSchema(layout: StructLayout<unknown>, around: Around): TSchema {
  return createShapeSchema(layout.shape(), [...around, layout]);
}

function createShapeSchema({ fields, union }: Shape, around: Around): TSchema {
  const own = Object.fromEntries(fields.map((field) => [field.name, createFieldSchema(field, around)]));
  if (union === undefined) return Type.Object(own, { additionalProperties: false });
  const members = union.members.map((member) =>
    Type.Object(
      { ...own, which: Type.Literal(member.name), ...createMemberSchema(member, around) },
      { additionalProperties: false },
    ),
  );
  return Type.Union(members);
}

/**
 * Returns the field for the value of a union member. A member without a value has no field, because a record contains
 * only the name of such a member.
 */
function createMemberSchema(member: FieldLayout, around: Around): Readonly<Record<string, TSchema>> {
  return member.type.kind === "void" ? {} : { [member.name]: createFieldSchema(member, around) };
}

function createFieldSchema({ type }: FieldLayout, around: Around): TSchema {
  return createTypeSchema(type, around);
}

/**
 * Returns whether a list of records is nested more deeply than tables allow. `around` has the types of the records
 * around the list. The list is too deep if the innermost type occurs in `around` twice, and its elements have a type in
 * `around`.
 */
function isTooDeep(element: FieldType, around: Around): boolean {
  if (element.kind !== "struct") return false;
  const [own, ...outer] = around.toReversed();
  return own !== undefined && outer.includes(own) && around.includes(element.layout());
}

function createTypeSchema(type: FieldType, around: Around): TSchema {
  switch (type.kind) {
    case "bool":
      return Type.Boolean();
    case "int8":
    case "int16":
    case "int32":
      return Type.Integer();
    case "uint8":
    case "uint16":
    case "uint32":
      return Type.Integer({ minimum: 0 });
    case "int64":
    case "uint64":
      return LONG;
    case "float32":
    case "float64":
      return Type.Number();
    case "text":
      return Type.String();
    case "data":
      return HEX;
    case "enum":
      return Type.Enum([...type.members]);
    case "void":
    case "interface":
      return Type.Null();
    case "list":
      if (isTooDeep(type.element, around)) return Type.Array(Type.Unknown(), { maxItems: 0 });
      return Type.Array(createTypeSchema(type.element, around));
    case "struct":
      return createStructSchema(type.layout(), around);
    case "group":
      return createShapeSchema(type.shape, around);
  }
}

/** Schema of a field of bytes. */
export const HEX = Type.String({ pattern: "^([0-9a-f]{2})*$", description: "bytes in hexadecimal digits" });

/** Schema of a field of 64 bits. */
export const LONG = Type.Union([Type.Integer(), Type.String({ pattern: "^-?\\d+$" })], {
  description: "a whole number; as text where a float would not hold it",
});
