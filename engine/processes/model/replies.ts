// Reads replies.json. The file of replies comes as a verified blob, but is checked nevertheless.

import { isList, isRecord, type Json, type JsonRecord, readJson, renderCanonicalJson } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { Outcome } from "../../lib/wire/generated/capos.ts";

/** Reply that the stub gives if the newest message of the conversation matches `when`. */
export interface CannedReply {
  readonly when: Occasion;
  /**
   * `{name}` stands for that field of the tool's result, `{name.inner}` for a field in it, and `{error}` for its error.
   * In a reply to a message of a person, `{tools}` stands for the tools' names.
   */
  readonly say: string;
  readonly call: readonly CannedCall[];
  /**
   * Whether the reply pauses after its text until it is cancelled. Such a reply shows that a person can stop an answer.
   */
  readonly pausesUntilCancelled: boolean;
}

type Occasion =
  | { readonly which: "user"; readonly line: string }
  | { readonly which: "tool"; readonly name: string; readonly outcome: Outcome };

interface CannedCall {
  readonly name: string;
  /** Arguments as the model writes them: JSON text, or any other text to test a model's errors. */
  readonly arguments: string;
}

export const MAX_REPLIES = 256;
export const MAX_CALLS = 8;
export const MAX_TEXT_BYTES = 8 * 1024;

/** A placeholder in `say`: one to eight names of fields, joined by dots. Each field is inside the field before it. */
const PLACEHOLDER = /\{(\w+(?:\.\w+){0,7})\}/g;

/** Replaces placeholders by the texts of their paths; a placeholder stays as it is if `textOf` returns `undefined`. */
export function fillPlaceholders(say: string, textOf: (path: readonly string[]) => string | undefined): string {
  return say.replace(PLACEHOLDER, (whole, path: string) => textOf(path.split(".")) ?? whole);
}

/** Returns all replies in the order in which they are tried. Fails with the first fault and its place in the file. */
export function readReplies(bytes: Uint8Array): Result<readonly CannedReply[]> {
  const text = decodeUtf8(bytes);
  const json = text === undefined ? refuse("not UTF-8") : readJson(text);
  if (!json.ok) return json;
  if (!isList(json.value)) return refuse("not a list of replies");
  if (json.value.length > MAX_REPLIES) return refuse(`more than ${MAX_REPLIES} replies`);
  const replies: CannedReply[] = [];
  for (const [index, item] of json.value.entries()) {
    const reply = parseReply(item);
    if (!reply.ok) return refuse(`reply ${index + 1}: ${reply.reason}`);
    replies.push(reply.value);
  }
  return { ok: true, value: replies };
}

/** Returns the reply that an object describes. Fails with the first fault of the object. */
function parseReply(item: Json): Result<CannedReply> {
  if (!isRecord(item)) return refuse("not an object");
  const stranger = findStranger(item, ["when", "say", "call", "pause"]);
  if (stranger !== undefined) return refuse(stranger);
  const { when, say = "", call = [], pause } = item;
  const occasion = parseOccasion(when);
  if (!occasion.ok) return occasion;
  if (!isShort(say)) return refuse(`"say" is not a text of at most ${MAX_TEXT_BYTES} bytes`);
  const calls = parseCalls(call);
  if (!calls.ok) return calls;
  if (pause !== undefined && pause !== "untilCancelled") return refuse('"pause" can only be "untilCancelled"');
  return accept({ when: occasion.value, say, call: calls.value, pausesUntilCancelled: pause !== undefined });
}

function parseOccasion(when: Json | undefined): Result<Occasion> {
  if (when === undefined || !isRecord(when)) return refuse('"when" is missing');
  const { user: line, tool: name, outcome } = when;
  if (isShort(line)) return acceptKnown(when, ["user"], { which: "user", line });
  if (!isShort(name)) return refuse('"when" names neither a "user" line nor a "tool"');
  const known = Outcome.members.find((member) => member === outcome);
  if (known === undefined) return refuse(`"outcome" is not one of ${Outcome.members.join(", ")}`);
  return acceptKnown(when, ["tool", "outcome"], { which: "tool", name, outcome: known });
}

function acceptKnown(when: JsonRecord, known: readonly string[], occasion: Occasion): Result<Occasion> {
  const stranger = findStranger(when, known);
  return stranger === undefined ? accept(occasion) : refuse(stranger);
}

function parseCalls(calls: Json): Result<readonly CannedCall[]> {
  if (!isList(calls) || calls.length > MAX_CALLS) return refuse(`"call" is not a list of at most ${MAX_CALLS} calls`);
  const read: CannedCall[] = [];
  for (const call of calls) {
    if (!isRecord(call)) return refuse("a call is not an object");
    const stranger = findStranger(call, ["name", "arguments"]);
    if (stranger !== undefined) return refuse(stranger);
    const { name, arguments: args = {} } = call;
    if (!isShort(name)) return refuse('a call has no "name"');
    read.push({ name, arguments: typeof args === "string" ? args : renderCanonicalJson(args) });
  }
  return accept(read);
}

function findStranger(record: JsonRecord, known: readonly string[]): string | undefined {
  const stranger = Object.keys(record).find((name) => !known.includes(name));
  return stranger === undefined ? undefined : `"${stranger}" is not known here`;
}

function isShort(value: Json | undefined): value is string {
  return typeof value === "string" && Buffer.byteLength(value) <= MAX_TEXT_BYTES;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
