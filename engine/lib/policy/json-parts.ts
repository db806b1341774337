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

export function getText(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The result of a call with a text beside it that its interface has no place for. */
interface Accompanied {
  readonly record: JsonRecord;
  readonly text: string;
}

/** Returns what an answer of the form `[{…}, "…"]` carries; `undefined` for any other value. */
export function readAccompanied(value: Json): Accompanied | undefined {
  if (!isList(value) || value.length !== 2) return undefined;
  const [record, text] = value;
  return record !== undefined && isRecord(record) && typeof text === "string" ? { record, text } : undefined;
}
