// Renders the part of a provider's answer that may return to the model.
import {
  canonicalizeArguments,
  isRecord,
  type Json,
  type JsonRecord,
  readAccompanied,
  readJson,
  renderCanonicalJson,
} from "../../lib/policy/index.ts";
import type { Tool } from "../../lib/wire/generated/policy.ts";
import { countWholeBytes } from "../../lib/wire/utf8.ts";

/** Maximum bytes of one result; more would push the conversation out of a small context. */
export const MAX_RESULT_BYTES = 32 * 1024;
const MAX_EXCERPT_BYTES = 1024;
const LEAST_PART = 32;
const MASK = "[redacted]";

/**
 * Returns the part of an answer that the model reads, cut to the tool's limit. An object becomes canonical JSON with
 * masked fields. If the answer is a list of an object and a text, the text follows the JSON of the object. Any other
 * answer becomes `{"text": …}` and not an error, because the service has already run. A string keeps its text
 * unchanged. For example, if the result of a page's program does not fit its interface, its answer is a string with the
 * reason. If the answer is not acceptable JSON, the text begins with a note.
 */
export function renderResult(tool: Tool, json: string): string {
  // A result has the same canonical form as arguments.
  const result = canonicalizeArguments(json);
  if (result.ok) {
    const { value, text } = result.value;
    return cut(tool.redact.length === 0 ? text : renderMasked(tool, value), limitOf(tool));
  }
  const read = readJson(json);
  if (!read.ok) return renderUnusable(tool, json, `it is not acceptable JSON: ${read.reason}`);
  const accompanied = readAccompanied(read.value);
  if (accompanied !== undefined) {
    const { record, text } = accompanied;
    return cut(
      `${renderMasked(tool, record)}\n${renderCanonicalJson(tool.redact.length === 0 ? text : MASK)}`,
      limitOf(tool),
    );
  }
  return renderAsText(tool, "", typeof read.value === "string" ? read.value : renderCanonicalJson(read.value));
}

function renderMasked(tool: Tool, record: JsonRecord): string {
  return renderCanonicalJson(tool.redact.reduce<Json>((rest, path) => mask(rest, path.split(".")), record));
}

/**
 * Returns an unusable answer for the model as `{"text": …}`. The text says that the call ran, states why the answer is unusable, and
 * quotes it.
 */
export function renderUnusable(tool: Tool, answer: string, reason: string): string {
  const again = tool.readOnly ? "" : "; do not call it again for that";
  return renderAsText(tool, `[it ran, and its answer cannot be used${again}: ${reason}]\n`, answer);
}

/** Renders an answer as text. If the page masks fields, the whole text is masked, because fields cannot be located in a text. */
function renderAsText(tool: Tool, note: string, answer: string): string {
  const limit = limitOf(tool);
  const told = tool.redact.length === 0 ? cut(answer.toWellFormed(), limit) : MASK;
  return cut(renderCanonicalJson({ text: `${note}${told}`.trimEnd() }), limit);
}

/** Returns the maximum bytes of a tool's result, which is also the maximum for its error message. */
function limitOf(tool: Tool): number {
  return tool.truncateBytes || MAX_RESULT_BYTES;
}

/**
 * Returns a tool's text about its failure, within the bound of a result. A program of the page may include fields that the page masks, so
 * its text is then masked as a whole.
 */
export function renderFailure(tool: Tool, words: string): string {
  return tool.pageProgram && tool.redact.length > 0 ? MASK : cut(words, limitOf(tool));
}

/** Shortens text of any length that is shown briefly: reasons, names, refused arguments. */
export function excerpt(text: string): string {
  return shorten(text, MAX_EXCERPT_BYTES);
}

/** Masks the value at a path, in every element of each list on it. */
function mask(value: Json, path: readonly string[]): Json {
  const [name, ...rest] = path;
  if (name === undefined) return MASK;
  if (Array.isArray(value)) return value.map((element) => mask(element, path));
  const field = isRecord(value) ? value[name] : undefined;
  return isRecord(value) && field !== undefined ? { ...value, [name]: mask(field, rest) } : value;
}

/**
 * Renders arguments for a drawn line of about `limit` bytes. Each argument gets a share of the limit, so that a long
 * one cannot hide the others. For example, a long content must not hide the path of a file.
 */
export function renderDrawnArguments(json: string, limit: number): string {
  const read = Buffer.byteLength(json) <= limit ? undefined : readJson(json);
  const fields = read?.ok === true && isRecord(read.value) ? Object.entries(read.value) : [];
  const part = Math.floor(limit / fields.length);
  // With very many arguments, the share of each would be too short to be useful. So the whole text is cut at its end.
  if (fields.length === 0 || part < LEAST_PART) return shorten(json, limit);
  return `{${fields.map(([name, value]) => `${shorten(JSON.stringify(name), part)}:${shorten(renderCanonicalJson(value), part)}`).join(",")}}`;
}

/**
 * Cuts a text for a person like `cut`. Returns the text unchanged if the note would be as long as the part that it
 * replaces.
 */
export function shorten(text: string, limit: number): string {
  const short = cut(text, limit);
  return short === text || Buffer.byteLength(short) < Buffer.byteLength(text) ? short : text;
}

/** Cuts a text to this many bytes of UTF-8, never within a character, with a note of what is missing. */
export function cut(text: string, limit: number): string {
  // A UTF-16 unit takes at most three bytes in UTF-8. So a text with at most a third of the limit in units fits, and
  // its bytes need not be counted.
  if (text.length * 3 <= limit) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const end = countWholeBytes(bytes, limit);
  return `${bytes.toString("utf8", 0, end)} [cut: ${bytes.length - end} more bytes]`;
}
