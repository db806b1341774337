// Reads parts of JSON from other programs as Cap'n Proto does: a part that is absent or of another kind is read as
// empty.

import { isList, isRecord } from "./canonical-json.ts";
import type { Json, JsonRecord } from "./json-reader.ts";

/** Returns the value if it is an object, otherwise an empty object. */
export function recordIn(value: Json | undefined): JsonRecord {
  return value !== undefined && isRecord(value) ? value : {};
}

export function listIn(value: Json | undefined): readonly Json[] {
  return value !== undefined && isList(value) ? value : [];
}

export function getText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The result of a call, and an additional text for which the interface has no field. */
interface Accompanied {
  readonly record: JsonRecord;
  readonly text: string;
}

/** Returns the parts of an answer of the form `[{…}, "…"]`; `undefined` for any other value. */
export function readAccompanied(value: Json): Accompanied | undefined {
  if (!isList(value) || value.length !== 2) return undefined;
  const [record, text] = value;
  return record !== undefined && isRecord(record) && typeof text === "string" ? { record, text } : undefined;
}
