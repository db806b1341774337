// Defines the layout of a tool's parameters in a Cap'n Proto message. The tables contain the layout for schemas that
// a page imports.
import type { Layout, Param, Place, Tool, Type } from "../wire/generated/policy.ts";
import type { FieldLayout, FieldType, ScalarKind, StructLayout } from "../wire/layout.ts";

/** Returns whether a tool states no layout of its own. */
export function isWithoutLayout({ layout }: Tool): boolean {
  return layout.dataWords === 0 && layout.pointers === 0 && layout.places.length === 0;
}

/**
 * Returns whether the fields of a struct have the names and types of the parameters, in the same order. An optional
 * parameter that is stored behind a pointer must be a text, because no default of other pointers is known.
 */
export function isOfParams(params: readonly Param[], fields: readonly FieldLayout[]): boolean {
  if (params.length !== fields.length) return false;
  return params.every(({ name, type, required }, index) => {
    const field = fields[index];
    return (
      field?.name === name &&
      isStoredAs(type, field.type) &&
      (required || field.type.kind === "text" || field.type.kind in BITS)
    );
  });
}

/** Range of each integer type. */
const RANGES: Readonly<Partial<Record<ScalarKind, readonly [low: bigint, high: bigint]>>> = {
  int8: [-0x80n, 0x7fn],
  int16: [-0x8000n, 0x7fffn],
  int32: [-0x8000_0000n, 0x7fff_ffffn],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint8: [0n, 0xffn],
  uint16: [0n, 0xffffn],
  uint32: [0n, 0xffff_ffffn],
  uint64: [0n, 2n ** 64n - 1n],
};

/** Returns whether all values of a type can be stored in a field of this kind. */
function isStoredAs(type: Type, field: FieldType): boolean {
  switch (type.which) {
    case "boolean":
      return field.kind === "bool";
    case "number":
      return field.kind === "float32" || field.kind === "float64";
    case "integer": {
      const range = RANGES[field.kind as ScalarKind];
      return range !== undefined && type.integer.low >= range[0] && type.integer.high <= range[1];
    }
    case "text":
      return field.kind === "text";
    case "choice":
      return field.kind === "enum" && field.members.length > 0 && field.members.join() === type.choice.join();
    case "list":
      return field.kind === "list" && isStoredAs(type.list, field.element);
    case "record": {
      const shape = field.kind === "group" ? field.shape : field.kind === "struct" ? field.layout().shape() : undefined;
      return shape !== undefined && shape.union === undefined && isOfParams(type.record, shape.fields);
    }
    case "json":
    case "either":
      return false;
  }
}

/** Sizes of a struct's sections. */
type Sections = Pick<Layout, "dataWords" | "pointers">;

/** Returns the layout of a struct of these parameters, or `undefined` if the offsets do not fit the parameters. */
export function buildStruct(params: readonly Param[], layout: Layout): StructLayout<unknown> | undefined {
  const fields = buildFields(params, layout.places, layout);
  if (fields === undefined || !isOfParams(params, fields)) return undefined;
  const { dataWords, pointers } = layout;
  return { kind: "structLayout", name: "", id: 0n, dataWords, pointers, shape: () => ({ fields }) };
}

function buildFields(
  params: readonly Param[],
  places: readonly Place[],
  sections: Sections,
): readonly FieldLayout[] | undefined {
  if (params.length !== places.length) return undefined;
  const fields: FieldLayout[] = [];
  for (const [index, { name, type }] of params.entries()) {
    const place = places[index];
    const built = place && buildType(type, place, sections);
    if (place === undefined || built === undefined || !isWithin(sections, place, built)) return undefined;
    const standard = readDefault(built, place.standard);
    if (standard === "unknown") return undefined;
    fields.push({ name, type: built, offset: place.offset, ...(standard !== undefined && { standard }) });
  }
  return fields;
}

function buildType(type: Type, place: Place, sections: Sections): FieldType | undefined {
  switch (place.which) {
    case "scalar":
      return { kind: place.scalar };
    case "choice":
      return type.which === "choice" ? { kind: "enum", name: "", members: type.choice } : undefined;
    case "text":
      return { kind: "text" };
    case "list": {
      // An element of a list cannot be a group, because a group has no position of its own.
      if (type.which !== "list" || place.list.which === "group") return undefined;
      const element = buildType(type.list, place.list, sections);
      return element && { kind: "list", element };
    }
    case "record": {
      const layout = type.which === "record" ? buildStruct(type.record, place.record) : undefined;
      return layout && { kind: "struct", layout: () => layout };
    }
    case "group": {
      const fields = type.which === "record" ? buildFields(type.record, place.group.places, sections) : undefined;
      return fields && { kind: "group", shape: { fields } };
    }
  }
}

const BITS: Readonly<Record<ScalarKind | "enum", number>> = {
  bool: 1,
  ...{ int8: 8, int16: 16, int32: 32, int64: 64 },
  ...{ uint8: 8, uint16: 16, uint32: 32, uint64: 64 },
  ...{ float32: 32, float64: 64, enum: 16 },
};

/** Returns whether a field lies within the sections of its struct. */
function isWithin({ dataWords, pointers }: Sections, { offset }: Place, { kind }: FieldType): boolean {
  if (kind === "group") return true;
  return kind in BITS ? (offset + 1) * BITS[kind as keyof typeof BITS] <= dataWords * 64 : offset < pointers;
}

/** Returns the default value that these bits represent, `undefined` if the bits are all zeros, or `unknown` if no value of the type has these bits. */
function readDefault(type: FieldType, bits: bigint): number | bigint | boolean | undefined | "unknown" {
  if (bits === 0n) return undefined;
  if (!(type.kind in BITS)) return "unknown";
  const width = BITS[type.kind as keyof typeof BITS];
  if (bits >> BigInt(width) !== 0n) return "unknown";
  switch (type.kind) {
    case "bool":
      return true;
    case "enum":
      return bits < type.members.length ? Number(bits) : "unknown";
    case "float32":
    case "float64":
      return readFloat(bits, width);
    case "uint64":
      return bits;
    case "int64":
      return BigInt.asIntN(64, bits);
    default:
      return Number(type.kind.startsWith("uint") ? bits : BigInt.asIntN(width, bits));
  }
}

function readFloat(bits: bigint, width: number): number | "unknown" {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits, true);
  const value = width === 32 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  return Number.isFinite(value) ? value : "unknown";
}
