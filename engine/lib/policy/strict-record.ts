// Reads a JSON object that another process sent, such as an action plan. Bytes that are too long are refused before
// they are parsed.

import { accept, type Result, refuse } from "../result/result.ts";
import { isRecord } from "./canonical-json.ts";
import { type JsonRecord, readJson } from "./json-reader.ts";

/** Returns the record in these bytes. Fails if the bytes are more than `most`, or are not a JSON record. */
export function recordFrom(bytes: Uint8Array, most: number): Result<JsonRecord> {
  if (bytes.length > most) return refuse(`longer than ${most} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return refuse("no UTF-8");
  const read = readJson(text, most);
  if (!read.ok) return refuse(`no JSON: ${read.reason}`);
  return isRecord(read.value) ? accept(read.value) : refuse("no JSON object");
}

/** Returns the first name of a record that is not in `known`, or `undefined` if there is none. */
export function findUnknownName(record: JsonRecord, known: readonly string[]): string | undefined {
  return Object.keys(record).find((name) => !known.includes(name));
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
