// Parts of JSON that others wrote, read as Cap'n Proto reads: what is absent, or of another kind, is empty.

import { isList, isRecord } from "./canonical-json.ts";
import type { Json, JsonRecord } from "./json-reader.ts";

/** An object that is there, or one without fields. */
export function recordIn(value: Json | undefined): JsonRecord {
  return value !== undefined && isRecord(value) ? value : {};
}

export function listIn(value: Json | undefined): readonly Json[] {
  return value !== undefined && isList(value) ? value : [];
}

export function textIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
