// Shapes as JSON Schema (draft 2020-12), as canonical JSON: sorted keys, no spaces, so that the same interface gives the
// same bytes. The words that name the draft are left out: each tool's schema is read by a model and costs its context.

import { type DescribedParam, type DescribedType, MAX_TEXT_BYTES, prose } from "./described.ts";

type Json = string | number | boolean | readonly Json[] | { readonly [key: string]: Json };

/** The schema of an object with these members and no others. */
export function schemaText(params: readonly DescribedParam[]): string {
  return canonical(recordSchema(params));
}

function recordSchema(params: readonly DescribedParam[]): { readonly [key: string]: Json } {
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(params.map((param) => [param.name, propertySchema(param)])),
    required: params.filter((param) => param.required).map((param) => param.name),
  };
}

function propertySchema({ type, doc }: DescribedParam): Json {
  return doc === "" ? typeSchema(type) : { ...typeSchema(type), description: prose(doc) };
}

/**
 * `maxLength` counts code points and our limit bytes, of which a code point has at least one: what the schema allows can
 * still be too long for the gate, never the other way round.
 */
function typeSchema(type: DescribedType): { readonly [key: string]: Json } {
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
  }
}

/** RFC 8785 for the values above: keys in code-unit order; no number here needs more than its shortest form. */
function canonical(json: Json): string {
  if (typeof json !== "object") return JSON.stringify(json);
  if (isList(json)) return `[${json.map(canonical).join(",")}]`;
  const members = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`).join(",")}}`;
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}
