// Converts between the arguments of a call as JSON and as a Cap'n Proto message of the method's parameter struct. A message becomes
// canonical JSON before anything is decided, so that the decision, the record and the call all use that JSON. The bytes may come
// from anyone: the reader of engine/lib/wire follows no pointer twice and throws nothing, and this module refuses fields that
// belong to no parameter.
import {
  BareRecord,
  checkRecord,
  isRecord,
  type Json,
  type JsonRecord,
  MAX_JSON_BYTES,
  renderCanonicalJson,
} from "../policy/index.ts";
import { accept, type Result, refuse } from "../result/result.ts";
import { decode } from "../wire/decode.ts";
import { encode } from "../wire/encode.ts";
import type { Param, Tool, Type } from "../wire/generated/policy.ts";
import type { FieldLayout, FieldType } from "../wire/layout.ts";
import type { Limits } from "../wire/limits.ts";
import { findParamLayout } from "./param-layout.ts";

/**
 * Limits of a Cap'n Proto message with the arguments of a call. The number of values is limited, because one bit of the
 * message can become several characters of JSON, such as `false`.
 */
const LIMITS: Limits = {
  bytes: MAX_JSON_BYTES,
  depth: 32,
  emptyElements: 4096,
  values: 65_536,
  strangers: "refused",
};
const NO_LAYOUT = "this tool takes its arguments as JSON: no Cap'n Proto layout of its parameters is known";

/**
 * Returns a message's arguments as canonical JSON, or why the message is refused. An optional argument with its default value is left out,
 * because the message cannot distinguish it from an absent one.
 */
export function readStructArguments(tool: Tool, message: Uint8Array): Result<string> {
  const layout = findParamLayout(tool);
  if (layout === undefined) return refuse(NO_LAYOUT);
  const read = decode(layout, message, LIMITS);
  if (!read.ok) return refuse(`the arguments are not an acceptable message: ${read.reason}`);
  const record = readRecord(tool.params, layout.shape().fields, read.value as Values);
  return record === undefined
    ? refuse("the arguments are not an acceptable message: JSON has no form for NaN and infinities")
    : accept(renderCanonicalJson(record));
}

/** Returns the arguments of a call as a Cap'n Proto message in canonical form, or why no message can contain them. */
export function encodeStructArguments(tool: Tool, record: JsonRecord): Result<Uint8Array> {
  const layout = findParamLayout(tool);
  if (layout === undefined) return refuse(NO_LAYOUT);
  const misfit = checkRecord(tool.params, record);
  if (misfit !== undefined) return refuse(misfit);
  const values = writeRecord(tool.params, layout.shape().fields, record);
  return values.ok ? accept(encode(layout, values.value)) : values;
}

type Values = Readonly<Record<string, unknown>>;

/** Returns the record of a struct's values; `undefined` if one of them is not a value of JSON. */
function readRecord(params: readonly Param[], fields: readonly FieldLayout[], values: Values): JsonRecord | undefined {
  const record: Record<string, Json> = new BareRecord();
  // `findParamLayout` returns a layout only if its fields are the parameters, in the same order.
  for (const [index, param] of params.entries()) {
    const field = fields[index];
    if (field === undefined) return undefined;
    const value = values[param.name];
    if (!param.required && Object.is(value, getDefault(field))) continue;
    const json = readValue(param.type, field.type, value);
    if (json === undefined) return undefined;
    record[param.name] = json;
  }
  return record;
}

function readValue(type: Type, field: FieldType, value: unknown): Json | undefined {
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (type.which === "list" && field.kind === "list" && Array.isArray(value)) {
    const items = value.map((item) => readValue(type.list, field.element, item));
    const known = items.flatMap((item) => (item === undefined ? [] : [item]));
    return known.length === items.length ? known : undefined;
  }
  const fields = listFields(field);
  return type.which === "record" && fields !== undefined ? readRecord(type.record, fields, value as Values) : undefined;
}

function listFields(field: FieldType): readonly FieldLayout[] | undefined {
  if (field.kind === "group") return field.shape.fields;
  return field.kind === "struct" ? field.layout().shape().fields : undefined;
}

/** Returns the value of a field whose bits are all zero; `undefined` for pointers other than texts. */
function getDefault({ type, standard }: FieldLayout): unknown {
  switch (type.kind) {
    case "enum":
      return type.members[Number(standard ?? 0)];
    case "bool":
      return standard ?? false;
    case "int64":
    case "uint64":
      return standard ?? 0n;
    case "text":
      return "";
    case "data":
    case "list":
    case "struct":
    case "group":
    case "interface":
    case "void":
      return undefined;
    default:
      return standard ?? 0;
  }
}

function writeRecord(
  params: readonly Param[],
  fields: readonly FieldLayout[],
  record: JsonRecord,
): Result<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [index, { name, type }] of params.entries()) {
    const field = fields[index];
    if (field === undefined) return refuse(NO_LAYOUT);
    const json = record[name];
    const written = json === undefined ? writeAbsent(field) : writeValue(type, field.type, json);
    if (!written.ok) return refuse(`${name}: ${written.reason}`);
    values[name] = written.value;
  }
  return accept(values);
}

/**
 * Returns the value of the field for an argument that is left out. Fails for a pointer field that is not a text: in a
 * schema with a layout, such a field is never optional.
 */
function writeAbsent(field: FieldLayout): Result<unknown> {
  const value = getDefault(field);
  return value === undefined ? refuse("it cannot be left out of a message") : accept(value);
}

function writeValue(type: Type, field: FieldType, json: Json): Result<unknown> {
  switch (field.kind) {
    case "int64":
    case "uint64":
      return accept(BigInt(json as number | string));
    case "float32":
      return Math.fround(Number(json)) === json ? accept(json) : refuse("it does not fit 32 bits");
    case "text":
      return String(json).isWellFormed() ? accept(json) : refuse("it is not well-formed text");
    case "list":
      return writeList(type, field.element, json);
    case "struct":
    case "group":
      return type.which === "record" && isRecord(json)
        ? writeRecord(type.record, listFields(field) ?? [], json)
        : refuse("it is not an object");
    default:
      return accept(json);
  }
}

function writeList(type: Type, element: FieldType, json: Json): Result<unknown> {
  if (type.which !== "list" || !Array.isArray(json)) return refuse("it is not a list");
  const items: unknown[] = [];
  for (const item of json) {
    const written = writeValue(type.list, element, item);
    if (!written.ok) return written;
    items.push(written.value);
  }
  return accept(items);
}
