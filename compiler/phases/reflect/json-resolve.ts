// Resolves a JSON Schema: it follows references, merges parts, and removes `null`.

import { findOddity, isList, isRecord, type Json, type JsonRecord } from "../../../engine/lib/policy/index.ts";
import { mergeSchemas } from "./json-merge.ts";
import { type Place, type Read, refuseFinally } from "./json-place.ts";

/** A schema without references. */
export interface Resolved {
  readonly schema: JsonRecord;
  readonly place: Place;
  /** Alternatives, one of which the value must fit; absent if the schema has only one form. */
  readonly alternatives?: Alternatives;
  /** Set if the schema contains itself or has a reference without a target. The parts of such a schema are not read. */
  readonly isOpen?: true;
}

export interface Alternatives {
  readonly word: "anyOf" | "oneOf" | "type";
  readonly schemas: readonly Json[];
}

/**
 * Maximum number of times that a reference may be followed within itself. A type may contain itself once; the parts of
 * the inner type are not read.
 */
const MAX_SAME_REFERENCES = 2;
/** Maximum number of nested references and alternatives. */
const MAX_STEPS = 64;
const SHAPED = ["type", "properties", "items", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];
const ANNOTATIONS = new Set(["description", "title", "default", "examples", "deprecated", "$comment"]);

/** Resolves the references and alternatives of a schema. Fails if the schema accepts only null. */
export function resolveSchema(schema: JsonRecord, place: Place): Read<Resolved> {
  const next = { ...place, depth: place.depth + 1 };
  if (place.depth > MAX_STEPS) return { ok: true, value: { schema, place: next, isOpen: true } };
  const { $ref: ref } = schema;
  if (ref !== undefined) return followReference(ref, { ...next, beside: collectBeside(schema, ["$ref"], place) });
  const { allOf } = schema;
  if (allOf !== undefined && isList(allOf) && (!hasOwnShape(schema, allOf) || hasMembers(schema, allOf)))
    return mergeParts(schema, allOf, next);
  for (const word of ["anyOf", "oneOf"] as const) {
    const several = schema[word];
    if (several === undefined || !isList(several) || hasOwnShape(schema, several)) continue;
    const { type } = schema;
    const schemas = several
      .filter((one) => !isNull(one))
      .map((one) => (type !== undefined && isRecord(one) && one["$ref"] === undefined ? { type, ...one } : one));
    const wasNullable = place.wasNullable || several.length > schemas.length;
    const [only, ...more] = schemas;
    if (only === undefined) return refuseFinally("it takes null alone");
    const at = { ...next, wasNullable, beside: collectBeside(schema, [word, "type"], place) };
    if (more.length === 0 && isRecord(only)) return resolveSchema(only, at);
    const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== word));
    return { ok: true, value: { schema: rest, place: { ...next, wasNullable }, alternatives: { word, schemas } } };
  }
  return resolveTypes(schema, next);
}

/** Turns a list of types into alternatives: one for each type, with the other rules of the schema. */
function resolveTypes(schema: JsonRecord, place: Place): Read<Resolved> {
  const { type } = schema;
  if (type === undefined || !isList(type) || schema["enum"] !== undefined || schema["const"] !== undefined)
    return { ok: true, value: { schema, place } };
  const kinds = type.filter((kind) => kind !== "null");
  const [only, ...more] = kinds;
  if (only === undefined) return refuseFinally("it takes null alone");
  if (more.length === 0) return { ok: true, value: { schema, place } };
  const rules = Object.entries(schema).filter(([name]) => !ANNOTATIONS.has(name));
  const schemas = kinds.map((kind) => ({ ...Object.fromEntries(rules), type: kind }));
  const said = Object.entries(schema).filter(([name]) => name === "type" || ANNOTATIONS.has(name));
  return {
    ok: true,
    value: { schema: Object.fromEntries(said), place, alternatives: { word: "type", schemas } },
  };
}

/** Returns whether the schema itself states a type, which its parts (`allOf`, `anyOf`, `oneOf`) can only restrict. */
function hasOwnShape(schema: JsonRecord, parts: readonly Json[]): boolean {
  const { type } = schema;
  if (["properties", "enum", "const"].some((own) => schema[own] !== undefined)) return true;
  if (type === undefined) return false;
  const isLoose = isList(type) || type === "object" || (type === "array" && schema["items"] === undefined);
  return (
    !isLoose ||
    !parts.some((part) => isRecord(part) && SHAPED.some((word) => word !== "type" && part[word] !== undefined))
  );
}

/**
 * Returns whether the schema of an object describes members, and one of its parts (`allOf`) may describe more members.
 */
function hasMembers(schema: JsonRecord, parts: readonly Json[]): boolean {
  const isBringing = (part: Json) => isRecord(part) && (part["properties"] ?? part["$ref"]) !== undefined;
  return schema["properties"] !== undefined && parts.some(isBringing);
}

function isNull(schema: Json): boolean {
  if (!isRecord(schema)) return false;
  const { type, const: only, enum: choices } = schema;
  if (type === "null" || only === null) return true;
  return choices !== undefined && isList(choices) && choices.length > 0 && choices.every((one) => one === null);
}

function mergeParts(schema: JsonRecord, parts: readonly Json[], place: Place): Read<Resolved> {
  const targets: JsonRecord[] = [];
  const refs: string[] = [];
  for (const part of parts) {
    const found = isRecord(part) ? lookUp(part, place) : undefined;
    if (found === undefined) return { ok: true, value: { schema, place, isOpen: true } };
    targets.push(found.schema);
    refs.push(...found.refs);
  }
  const rest = Object.fromEntries(Object.entries(schema).filter(([name]) => name !== "allOf"));
  const merged = mergeSchemas([rest, ...targets]);
  if (merged === undefined) return { ok: true, value: { schema, place, isOpen: true } };
  return resolveSchema(merged, { ...place, refs: [...place.refs, ...refs] });
}

/**
 * Follows the reference of a schema, and the reference of its target, until a schema has no reference. Returns
 * `undefined` if a reference recurs too often or has no target.
 */
function lookUp(part: JsonRecord, { root, refs }: Place): { schema: JsonRecord; refs: readonly string[] } | undefined {
  const followed: string[] = [];
  let schema = part;
  for (let { $ref: ref } = schema; ref !== undefined; { $ref: ref } = schema) {
    const target = typeof ref === "string" ? findTarget(root, ref) : undefined;
    if (typeof ref !== "string" || target === undefined) return undefined;
    followed.push(ref);
    if ([...refs, ...followed].filter((one) => one === ref).length > MAX_SAME_REFERENCES) return undefined;
    schema = target;
  }
  return { schema, refs: followed };
}

function followReference(ref: Json, place: Place): Read<Resolved> {
  const target = typeof ref === "string" ? findTarget(place.root, ref) : undefined;
  if (typeof ref !== "string" || target === undefined)
    return { ok: true, value: { schema: { $ref: ref }, place, isOpen: true } };
  const isCyclic = place.refs.filter((one) => one === ref).length >= MAX_SAME_REFERENCES;
  const odd = findOddity(target);
  if (odd !== undefined) return refuseFinally(`its schema is not acceptable JSON: ${odd.reason}`);
  if (isCyclic) return { ok: true, value: { schema: target, place, isOpen: true } };
  return resolveSchema(target, { ...place, refs: [...place.refs, ref] });
}

/** Returns the schema that a JSON Pointer of the same document names (RFC 6901, as a fragment); `undefined` if there is none. */
function findTarget(root: JsonRecord, ref: string): JsonRecord | undefined {
  const [document, ...names] = ref.split("/").map(decodeName);
  if (document !== "#") return undefined;
  let found: Json | undefined = root;
  for (const name of names) {
    if (name === undefined || found === undefined) return undefined;
    if (isList(found)) found = /^(?:0|[1-9][0-9]{0,5})$/.test(name) ? found[Number(name)] : undefined;
    else found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found !== undefined && isRecord(found) ? found : undefined;
}

function decodeName(escaped: string): string | undefined {
  try {
    return decodeURIComponent(escaped).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return undefined;
  }
}

/**
 * Returns the members of a schema, without the keywords in `followed` (such as `$ref`), together with the members of
 * outer schemas. If both have the same member, the outer one is used.
 */
function collectBeside(schema: JsonRecord, followed: readonly string[], { beside }: Place): JsonRecord {
  return { ...Object.fromEntries(Object.entries(schema).filter(([word]) => !followed.includes(word))), ...beside };
}
