// Renders types as JSON Schema (draft 2020-12) in canonical JSON: with sorted keys and no spaces, so that the same
// interface gives the same bytes. `$schema` is omitted, because each tool's schema uses space in the model's context.

import { type Json, type JsonRecord, renderCanonicalJson } from "../../../engine/lib/policy/index.ts";
import { type DescribedParam, type DescribedType, MAX_TEXT_BYTES, unwrapProse } from "./described.ts";

/** Returns the schema of an object with exactly these members. */
export function renderSchema(params: readonly DescribedParam[]): string {
  return renderCanonicalJson(recordSchema(params));
}

function recordSchema(params: readonly DescribedParam[]): JsonRecord {
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(params.map((param) => [param.name, createPropertySchema(param)])),
    required: params.filter((param) => param.required).map((param) => param.name),
  };
}

function createPropertySchema({ type, doc }: DescribedParam): Json {
  return doc === "" ? typeSchema(type) : { ...typeSchema(type), description: unwrapProse(doc) };
}

/**
 * JSON Schemas of values that the gate does not check. Only the gate limits the bytes of such a value, because JSON
 * Schema has no keyword for this.
 */
const JSON_FORMS = { any: {}, object: { type: "object" }, list: { type: "array" } } as const;

/**
 * Returns the schema of a type. `maxLength` counts code points, but the gate's limit counts bytes; a code point has at
 * least one byte. So a value that the schema allows may be too long for the gate. A value that the gate accepts is
 * never too long for the schema.
 */
function typeSchema(type: DescribedType): JsonRecord {
  switch (type.which) {
    case "boolean":
      return { type: "boolean" };
    case "number":
      return { type: "number" };
    case "integer":
      return { type: "integer", minimum: Number(type.integer.low), maximum: Number(type.integer.high) };
    case "text":
      return { type: "string", maxLength: type.text.maxBytes || MAX_TEXT_BYTES };
    case "choice":
      return { type: "string", enum: [...type.choice] };
    case "list":
      return { type: "array", items: typeSchema(type.list) };
    case "record":
      return recordSchema(type.record);
    case "json":
      return { ...JSON_FORMS[type.json.form] };
    case "either":
      return { anyOf: type.either.map(typeSchema) };
  }
}
