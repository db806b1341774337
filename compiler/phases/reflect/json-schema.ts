// Shapes as JSON Schema (draft 2020-12), as canonical JSON: sorted keys, no spaces, so that the same interface gives the
// same bytes. The words that name the draft are left out: each tool's schema is read by a model and costs its context.

import { type Json, type JsonRecord, renderCanonicalJson } from "../../../engine/lib/policy/index.ts";
import { type DescribedParam, type DescribedType, MAX_TEXT_BYTES, unwrapProse } from "./described.ts";

/** The schema of an object with these members and no others. */
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

/** The bytes of such a value are counted by the gate alone: JSON Schema has no word for them. */
const JSON_FORMS = { any: {}, object: { type: "object" }, list: { type: "array" } } as const;

/**
 * `maxLength` counts code points and our limit bytes, of which a code point has at least one: what the schema allows can
 * still be too long for the gate, never the other way round.
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
