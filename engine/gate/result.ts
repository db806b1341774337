// What may go back to the model of what a provider answered.
import { canonicalArguments, canonicalText, isRecord, type Json, readJson } from "../policy/index.ts";
import type { Tool } from "../wire/generated/policy.ts";

/** Of one result; more would crowd the conversation out of a small context. */
export const MAX_RESULT_BYTES = 32 * 1024;
const MAX_EXCERPT_BYTES = 1024;
const LEAST_PART = 32;
const MASK = "[redacted]";

/** The result as canonical JSON with its masked fields, cut to the tool's limit; nothing where it is no JSON object. */
export function resultText(tool: Tool, json: string): string | undefined {
  // A result has the one form that arguments have.
  const result = canonicalArguments(json);
  if (!result.ok) return undefined;
  const { value, text } = result.value;
  const limit = tool.truncateBytes || MAX_RESULT_BYTES;
  if (tool.redact.length === 0) return cut(text, limit);
  return cut(canonicalText(tool.redact.reduce<Json>((masked, path) => mask(masked, path.split(".")), value)), limit);
}

/**
 * Returns an answer that is JSON and not an object, as `{"text": …}`: the service ran, and what it answered does not fit its
 * interface. Services of programs send a text then, with the reason in it. Where the page masks fields nobody can tell where they
 * stand in it, so all of it is masked. `undefined` for objects and for what is not acceptable JSON.
 */
export function unfitText(tool: Tool, json: string): string | undefined {
  const read = readJson(json);
  if (!read.ok || isRecord(read.value)) return undefined;
  const text = typeof read.value === "string" ? read.value : canonicalText(read.value);
  const masked = tool.redact.length === 0 ? text : MASK;
  return cut(canonicalText({ text: masked }), tool.truncateBytes || MAX_RESULT_BYTES);
}

/** For what may be of any length and is shown or told in passing: reasons, names, refused arguments. */
export function excerpt(text: string): string {
  return cut(text, MAX_EXCERPT_BYTES);
}

/** A path goes into every element of a list that it meets. */
function mask(value: Json, path: readonly string[]): Json {
  const [name, ...rest] = path;
  if (name === undefined) return MASK;
  if (Array.isArray(value)) return value.map((element) => mask(element, path));
  const field = isRecord(value) ? value[name] : undefined;
  return isRecord(value) && field !== undefined ? { ...value, [name]: mask(field, rest) } : value;
}

/**
 * Arguments for a line that is drawn, some `limit` bytes of them. Each has a part of that, so that whoever makes one of them long
 * hides none of the others: what is written must not push aside where.
 */
export function drawnArguments(json: string, limit: number): string {
  const read = Buffer.byteLength(json) <= limit ? undefined : readJson(json);
  const fields = read?.ok === true && isRecord(read.value) ? Object.entries(read.value) : [];
  const part = Math.floor(limit / fields.length);
  // One of very many says nothing.
  if (fields.length === 0 || part < LEAST_PART) return cut(json, limit);
  return `{${fields.map(([name, value]) => `${cut(JSON.stringify(name), part)}:${cut(canonicalText(value), part)}`).join(",")}}`;
}

/** At most so many bytes of UTF-8, never in the middle of a character, with a note of what is missing. */
export function cut(text: string, limit: number): string {
  // A character of a text takes three bytes at most.
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let end = limit;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString("utf8", 0, end)} [cut: ${bytes.length - end} more bytes]`;
}
