// Merges the parts of an `allOf` into one equivalent schema, if there is one.

import { isList, isRecord, type Json, type JsonRecord, renderTolerantJson } from "../../../engine/lib/policy/index.ts";

const HIGHEST = new Set(["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"]);
const LOWEST = new Set(["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"]);
/**
 * Keywords that describe a schema, and refuse no value. If several merged schemas have the same one of these, the first
 * is used.
 */
const ABOUT = new Set(["description", "title", "default", "examples", "deprecated", "$comment", "$id", "$schema"]);

/**
 * Returns one schema that accepts exactly the values that all of these schemas accept, or `undefined` if two of their
 * rules cannot be merged.
 */
export function mergeSchemas(parts: readonly JsonRecord[]): JsonRecord | undefined {
  const merged: Record<string, Json> = {};
  for (const [name, rule] of parts.flatMap((part) => Object.entries(part))) {
    const before = Object.hasOwn(merged, name) ? merged[name] : undefined;
    const both = before === undefined ? rule : mergeRule(name, before, rule);
    if (both === undefined) return undefined;
    merged[name] = both;
  }
  return merged;
}

function mergeRule(name: string, before: Json, rule: Json): Json | undefined {
  if (ABOUT.has(name) || renderTolerantJson(before) === renderTolerantJson(rule)) return before;
  if (typeof before === "number" && typeof rule === "number") {
    if (HIGHEST.has(name)) return Math.max(before, rule);
    if (LOWEST.has(name)) return Math.min(before, rule);
  }
  switch (name) {
    case "properties":
      return isRecord(before) && isRecord(rule) ? mergeProperties(before, rule) : undefined;
    case "required":
      return isList(before) && isList(rule) ? [...new Set([...before, ...rule])] : undefined;
    case "enum":
      return isList(before) && isList(rule) ? before.filter((one) => rule.includes(one)) : undefined;
    case "type":
      return mergeTypes(wrap(before), wrap(rule));
    case "allOf":
      return isList(before) && isList(rule) ? [...before, ...rule] : undefined;
    case "additionalProperties":
      return before === false || rule === false ? false : undefined;
    default:
      return undefined;
  }
}

function mergeProperties(before: JsonRecord, more: JsonRecord): JsonRecord {
  const merged: Record<string, Json> = { ...before };
  for (const [name, schema] of Object.entries(more))
    merged[name] = Object.hasOwn(before, name) ? { allOf: [before[name] ?? true, schema] } : schema;
  return merged;
}

function mergeTypes(before: readonly Json[], types: readonly Json[]): Json | undefined {
  const isIn = (list: readonly Json[], type: Json) =>
    list.includes(type) || (type === "integer" && list.includes("number"));
  const both = [...new Set([...before, ...types])].filter((type) => isIn(before, type) && isIn(types, type));
  const [only, ...more] = both;
  if (only === undefined) return undefined;
  return more.length === 0 ? only : both;
}

function wrap(type: Json): readonly Json[] {
  return isList(type) ? type : [type];
}
