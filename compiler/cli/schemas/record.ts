// The JSON Schema of a record of the wire as the command line prints it: bytes as hexadecimal, 64-bit numbers as numbers
// where JSON holds them exactly and as text elsewhere. Made from the layout that also reads the record, so it cannot differ.

import { type TSchema, Type } from "typebox";
import type { FieldLayout, FieldType, Shape, StructLayout } from "../../../engine/lib/wire/layout.ts";

/** Closed: what the layout does not have may not stand there. */
export function createRecordSchema(layout: StructLayout<unknown>): TSchema {
  return createShapeSchema(layout.shape());
}

function createShapeSchema({ fields, union }: Shape): TSchema {
  const own = Object.fromEntries(fields.map((field) => [field.name, createFieldSchema(field)]));
  if (union === undefined) return Type.Object(own, { additionalProperties: false });
  const members = union.members.map((member) =>
    Type.Object(
      { ...own, which: Type.Literal(member.name), ...createMemberSchema(member) },
      { additionalProperties: false },
    ),
  );
  return Type.Union(members);
}

/** A member without a value is its name alone. */
function createMemberSchema(member: FieldLayout): Readonly<Record<string, TSchema>> {
  return member.type.kind === "void" ? {} : { [member.name]: createFieldSchema(member) };
}

function createFieldSchema({ type }: FieldLayout): TSchema {
  return createTypeSchema(type);
}

function createTypeSchema(type: FieldType): TSchema {
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
      return Type.Array(createTypeSchema(type.element));
    case "struct":
      return createRecordSchema(type.layout());
    case "group":
      return createShapeSchema(type.shape);
  }
}

/** A field of bytes. */
export const HEX = Type.String({ pattern: "^([0-9a-f]{2})*$", description: "bytes in hexadecimal digits" });

/** A field of 64 bits. */
export const LONG = Type.Union([Type.Integer(), Type.String({ pattern: "^-?\\d+$" })], {
  description: "a whole number; as text where a float would not hold it",
});
