// Reads arguments with the JavaScript engine's own JSON.parse. Without a JIT compiler our own reader is slow, but the
// native JSON.parse is not. JSON.parse may change values, so its result is serialized again and compared with the text.
// A text with repeated names, rounded numbers, blanks or other spellings then differs from the serialized result.
import { BareRecord, type Json, type JsonRecord, MAX_JSON_BYTES, MAX_JSON_DEPTH } from "./json-reader.ts";

/** Beginning of the escape of a surrogate: JSON.stringify would write an escaped lone surrogate back unchanged, but our reader refuses it. */
const SURROGATE = "\\ud";

/**
 * Returns the record of a canonical text, or `undefined` for any other text and for some unusual canonical ones. Our own reader
 * decides about these texts, and only our reader refuses texts. This function and our own reader read the same values,
 * which the tests verify.
 */
export function recordOfRoundTrip(text: string): JsonRecord | undefined {
  // A UTF-16 unit takes at most three bytes, so a text that passes this check is within the limit.
  if (text.length * 3 > MAX_JSON_BYTES || text.includes(SURROGATE)) return undefined;
  const read = tryParseJson(text);
  // Copy the record first: the copy fails for a value that is nested too deep, so JSON.stringify never writes such a value.
  const record = typeof read === "object" && read !== null && !Array.isArray(read) ? recordFrom(read, 1) : undefined;
  return record !== undefined && JSON.stringify(read) === text ? record : undefined;
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a copy of a parsed object without inherited names. Returns `undefined` if its names are not in ascending
 * order, or if only our own reader may read a value in it, such as an integer beyond 2^53.
 */
function recordFrom(read: object, depth: number): JsonRecord | undefined {
  const source = read as Readonly<Record<string, unknown>>;
  const names = Object.keys(source);
  const record = new BareRecord();
  // Loop by index: without a compiler `for … of` takes as long as the rest of the function.
  for (let at = 0; at < names.length; at += 1) {
    const name = names[at] ?? "";
    if (at > 0 && !((names[at - 1] ?? "") < name)) return undefined;
    if (name === "__proto__") return undefined;
    const found = source[name];
    const value = typeof found === "string" ? found : convertValue(found, depth + 1);
    if (value === undefined) return undefined;
    record[name] = value;
  }
  return record;
}

function convertValue(read: unknown, depth: number): Json | undefined {
  if (depth > MAX_JSON_DEPTH) return undefined;
  if (typeof read === "number") return Number.isInteger(read) && !Number.isSafeInteger(read) ? undefined : read;
  if (typeof read === "string" || typeof read === "boolean" || read === null) return read;
  if (Array.isArray(read)) return listFrom(read, depth);
  return typeof read === "object" ? recordFrom(read, depth) : undefined;
}

function listFrom(read: readonly unknown[], depth: number): readonly Json[] | undefined {
  const list: Json[] = [];
  for (let at = 0; at < read.length; at += 1) {
    const value = convertValue(read[at], depth + 1);
    if (value === undefined) return undefined;
    list.push(value);
  }
  return list;
}
