// Converts the answer of an MCP server's tool for the caller of the tool. The call fails only if the tool itself
// reports an error. An answer that does not fit the result schema of the tool is returned as text. Content that is not
// text, such as a picture, is replaced by a note that names it.

import { checkRecord } from "../../../../lib/policy/arguments.ts";
import {
  findOddity,
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  readTolerantly,
  recordIn,
  renderCanonicalJson,
  renderTolerantJson,
} from "../../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../../lib/result/result.ts";
import type { Param } from "../../../../lib/wire/generated/policy.ts";
import { AccompaniedAnswer, shortenText, UnfitAnswer } from "../program.ts";

/** Maximum UTF-16 units of the name that a server gives an item and that appears in a note to the model. */
const MAX_NAME = 80;

/**
 * Returns the answer as a record that fits `results`, together with other content that the tool returned. If there is
 * no such record, returns the answer as a text. Fails only if the tool itself reports a failure.
 */
export function answerIn(result: Json, results: readonly Param[]): Result<McpAnswer> {
  const odd = findOddity(result);
  if (!isRecord(result) || odd !== undefined) {
    return accept(wrapAsText(renderTolerantJson(result), results, odd?.reason ?? "it is not an object"));
  }
  const { content, structuredContent, isError } = result;
  if (isError === true) return refuse(renderParts(content) || "the tool failed, and says no more");
  if (structuredContent === undefined)
    return accept(wrapAsText(renderParts(content), results, "it has no `structuredContent`"));
  const record = checkStructure(structuredContent, results);
  if (!record.ok) return accept(wrapAsText(appendStructure(structuredContent, content), results, record.reason));
  const beside = renderUnstructured(structuredContent, content);
  return accept(beside === "" ? record.value : new AccompaniedAnswer(record.value, beside));
}

export type McpAnswer = JsonRecord | AccompaniedAnswer | UnfitAnswer;

/**
 * Returns the structured answer without optional members that are null, or why it does not fit `results`. The answer
 * also does not fit if `readJson` would refuse a part of it. The reader of the answer accepts such a part, but puts an
 * empty record in its place.
 */
function checkStructure(structure: Json, results: readonly Param[]): Result<JsonRecord> {
  if (!isRecord(structure)) return refuse("it is not an object");
  const record = dropNulls(structure, results);
  const misfit = checkRecord(results, record, "", "result");
  if (misfit !== undefined) return refuse(misfit);
  return renderTolerantJson(record) === renderCanonicalJson(record)
    ? accept(record)
    : refuse("a part of it is not acceptable JSON");
}

/**
 * Returns a text as the record `{ text }`, which fits `results` if the tool has no schema of its results. Otherwise
 * returns the text as an answer that does not fit.
 */
function wrapAsText(text: string, results: readonly Param[], reason: string): JsonRecord | UnfitAnswer {
  const record = { text: shortenText(text) };
  return checkRecord(results, record) === undefined ? record : new UnfitAnswer(text, reason);
}

/** Removes optional members that are null: many libraries write absent members as null. */
function dropNulls(record: JsonRecord, results: readonly Param[]): JsonRecord {
  const optional = new Set(results.filter(({ required }) => !required).map(({ name }) => name));
  const isLeftOut = (name: string): boolean => record[name] === null && optional.has(name);
  if (!Object.keys(record).some(isLeftOut)) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !isLeftOut(name)));
}

function appendStructure(structure: Json, content: Json | undefined): string {
  const told = renderTolerantJson(structure);
  const isTold = listParts(content).some((part) => isRepeating(part, told));
  return [renderParts(content), ...(isTold ? [] : [told])].filter((part) => part !== "").join("\n");
}

/** Returns the text of the content parts that do not repeat the structured answer. */
function renderUnstructured(structure: Json, content: Json | undefined): string {
  const told = renderTolerantJson(structure);
  return listParts(content)
    .filter((part) => !isRepeating(part, told))
    .map(renderPart)
    .filter((part) => part !== "")
    .join("\n");
}

/** Returns whether a part repeats the structured answer as text, as the protocol asks servers to do. Such a part is left out, so that the caller gets the answer only once. */
function isRepeating(part: Json, told: string): boolean {
  const said = isRecord(part) ? part["text"] : undefined;
  const read = typeof said === "string" ? readTolerantly(said) : undefined;
  return read?.ok === true && renderTolerantJson(read.value) === told;
}

function listParts(content: Json | undefined): readonly Json[] {
  if (content === undefined || content === null) return [];
  return isList(content) ? content : [content];
}

function renderParts(content: Json | undefined): string {
  return listParts(content).map(renderPart).join("\n");
}

/**
 * Renders one part of an answer as text. A note replaces a picture or a sound, because a model here reads only text.
 */
function renderPart(part: Json): string {
  if (typeof part === "string") return part;
  if (!isRecord(part) || findOddity(part) !== undefined) return renderTolerantJson(part);
  const { type, text, data, uri, name, mimeType } = part;
  switch (type) {
    case "text":
      return readWrittenText(text) ?? noteOmission("text that is not one");
    case "image":
    case "audio":
      return noteOmission(`${type}${quoteName(mimeType)}${describeSize(data)}`);
    case "resource":
      return renderResource(recordIn(part["resource"]));
    case "resource_link":
      return `[link${quoteName(name)}${quoteName(uri)}]`;
    default:
      return noteOmission(`content of the kind${quoteName(type) || " that it does not say"}`);
  }
}

function renderResource({ text, blob, uri, mimeType }: JsonRecord): string {
  return readWrittenText(text) ?? noteOmission(`resource${quoteName(uri)}${quoteName(mimeType)}${describeSize(blob)}`);
}

/** Returns a text, with a lone half of a character replaced; `undefined` for any other value. */
function readWrittenText(text: Json | undefined): string | undefined {
  if (typeof text === "string") return text;
  const source = findOddity(text)?.source;
  return source?.startsWith('"') ? String(JSON.parse(source)).toWellFormed() : undefined;
}

function noteOmission(what: string): string {
  return `[left out: ${what}]`;
}

/** Returns a name from a server on one line, in quotes, and shortened. */
function quoteName(name: Json | undefined): string {
  return typeof name === "string" ? ` ${JSON.stringify(name.slice(0, MAX_NAME).toWellFormed())}` : "";
}

/** Returns the size of Base64 data, such as `, 3 bytes`, even if its end was cut on arrival. */
function describeSize(data: Json | undefined): string {
  if (typeof data !== "string") return "";
  const [note = "", cut = "0"] = / \[cut: (\d{1,9}) more bytes\]$/.exec(data) ?? [];
  const characters = data.length - note.length + Number(cut);
  const padding = /={1,2}$/.exec(data)?.[0].length ?? 0;
  return `, ${Math.floor((characters * 3) / 4) - padding} bytes`;
}
