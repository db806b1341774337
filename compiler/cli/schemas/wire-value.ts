// Converts JSON that the command line wrote (`record.ts`) back to a value of the wire. JSON in any other form is refused.

import type { FieldLayout, FieldType, Shape } from "../../../engine/lib/wire/layout.ts";

/**
 * Value, or `undefined` if the JSON does not have the form of the field's type. The value is boxed, because it may
 * itself be `undefined`.
 */
type WireValue = { readonly value: unknown } | undefined;

const LARGEST: Readonly<Record<string, number>> = { uint8: 0xff, uint16: 0xffff, uint32: 0xffff_ffff };
const MOST_U64 = 0xffff_ffff_ffff_ffffn;

/** Default values of fields that older exports do not contain. */
const LATER: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["askedMs", 0],
  ["surface", ""],
  ["argumentsHash", ""],
  ["errorHash", ""],
  ["digest", ""],
  ["release", { rule: "", act: "", from: "", to: "" }],
]);

/**
 * Converts a JSON object to a value of the type `shape`, as a decoded message would contain it. `more` lists keys that
 * the JSON object may have in addition to the fields.
 */
export function convertToWireStruct(shape: Shape, json: unknown, more: readonly string[] = []): WireValue {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  const given = new Map<string, unknown>(Object.entries(json));
  const wanted = collectFields(shape, given.get("which"));
  if (wanted === undefined || [...given.keys()].some((name) => !wanted.has(name) && !more.includes(name)))
    return undefined;
  const made: [string, unknown][] = [];
  for (const [name, type] of wanted) {
    const json = given.has(name) ? given.get(name) : LATER.get(name);
    const read = type === undefined ? { value: json } : convertToWireValue(type, json);
    if (read === undefined) return undefined;
    made.push([name, read.value]);
  }
  return { value: Object.fromEntries(made) };
}

/**
 * Returns the types of the fields by name; the discriminant has no type. Returns `undefined` if the union has no member with the
 * name `which`.
 */
function collectFields(
  { fields, union }: Shape,
  which: unknown,
): ReadonlyMap<string, FieldType | undefined> | undefined {
  const own = fields.map(getTypedField);
  if (union === undefined) return new Map(own);
  const member = union.members.find(({ name }) => name === which);
  if (member === undefined) return undefined;
  return new Map([...own, ["which", undefined], ...(member.type.kind === "void" ? [] : [getTypedField(member)])]);
}

const getTypedField = ({ name, type }: FieldLayout): readonly [string, FieldType] => [name, type];

function convertToWireValue(type: FieldType, json: unknown): WireValue {
  switch (type.kind) {
    case "struct":
      return convertToWireStruct(type.layout().shape(), json);
    case "group":
      return convertToWireStruct(type.shape, json);
    case "list": {
      if (!Array.isArray(json)) return undefined;
      const read = json.map((one) => convertToWireValue(type.element, one));
      return read.includes(undefined) ? undefined : { value: read.map((one) => one?.value) };
    }
    case "text":
      return typeof json === "string" ? { value: json } : undefined;
    case "data":
      return typeof json === "string" && /^([0-9a-f]{2})*$/.test(json)
        ? { value: Buffer.from(json, "hex") }
        : undefined;
    case "enum":
      // Older exports lack the field of the type ArgumentForm; its value is then the first member of this enum. Every export contains
      // the fields of all other enums.
      if (json === undefined && type.name === "ArgumentForm") return { value: type.members[0] };
      return typeof json === "string" && type.members.includes(json) ? { value: json } : undefined;
    case "bool":
      // An export that is older than a boolean field lacks this field, whose value is then false.
      return json === undefined || typeof json === "boolean" ? { value: json === true } : undefined;
    case "uint64":
      return convertToWireLong(json);
    case "uint8":
    case "uint16":
    case "uint32":
      return isWhole(json) && json <= (LARGEST[type.kind] ?? 0) ? { value: json } : undefined;
    // No record has a field of a type such as int8 or float32. If a record gets such a field, it is refused.
    case "int8":
    case "int16":
    case "int32":
    case "int64":
    case "float32":
    case "float64":
    case "void":
    case "interface":
      return undefined;
  }
}

/** Converts a number of 64 bits. A text is accepted only for a number that is too large for an exact JSON number. */
function convertToWireLong(json: unknown): WireValue {
  if (isWhole(json)) return { value: BigInt(json) };
  if (typeof json !== "string" || !/^[1-9]\d{15,19}$/.test(json)) return undefined;
  const value = BigInt(json);
  return value > Number.MAX_SAFE_INTEGER && value <= MOST_U64 ? { value } : undefined;
}

function isWhole(json: unknown): json is number {
  return typeof json === "number" && Number.isSafeInteger(json) && json >= 0;
}
