// Reads the answer of a local model while it is produced. Text is passed on at once, except for blanks at its end. A
// call is held back until it is complete, and so is an answer that must fit a schema.

import { randomUUID } from "node:crypto";
import { isRecord, readJson, renderCanonicalJson } from "../../../lib/policy/index.ts";
import type { ToolCall } from "../../../lib/wire/generated/capos.ts";
import { NO_CALL, splitIntoChunks } from "../chunks.ts";
import type { Pieces } from "../pieces.ts";
import type { Texts } from "./decoder.ts";
import { CALL_BEGINS } from "./grammar/answers.ts";
import { BEFORE_NAME } from "./grammar/beginning.ts";

/** Maximum characters of an answer. */
const MOST_ANSWER_CHARACTERS = 16_384;
/** Blanks and escaped line ends (`\n`) at the end of a text; a model copies escaped line ends from results of tools. */
const BLANK_END = /(?:\s|\\+n|\\+$)+$/;
/** Maximum blanks in a row: a small model that has finished may continue with blanks until it is stopped. */
const MOST_BLANKS = 16;

/**
 * Yields the pieces of an answer. `tools` is `callable` if the answer was constrained by a grammar in which a brace
 * begins a call.
 */
export async function* readPieces(texts: Texts, tools: "callable" | "none"): Pieces {
  let text = "";
  let isCall = false;
  /** Trailing blanks of the text, which are sent only if more text follows. */
  let held = "";
  let next = await texts.next();
  try {
    for (; next.done !== true; next = await texts.next()) {
      const piece = next.value;
      if (text === "" && piece !== "") isCall = tools === "callable" && piece.startsWith(CALL_BEGINS);
      text += piece;
      if (text.length > MOST_ANSWER_CHARACTERS) return { text, calls: [], fault: "the answer is too long" };
      if (isCall) continue;
      const waiting = held + piece;
      [held = ""] = BLANK_END.exec(waiting) ?? [];
      const told = waiting.slice(0, waiting.length - held.length);
      if (told !== "") yield { textDelta: told, toolCallDelta: NO_CALL };
      if (held.length > MOST_BLANKS) return { text: text.slice(0, text.length - held.length), calls: [] };
    }
  } finally {
    await texts.return("stopped");
  }
  if (!isCall) {
    if (held !== "") yield { textDelta: held, toolCallDelta: NO_CALL };
    return { text, calls: [], isCut: next.value === "cut" };
  }
  return yield* giveCall(text);
}

/**
 * Reads an answer that was constrained by a schema's grammar, or by that of calls. The text is returned only at the end of the
 * answer, for the caller to check.
 */
export async function* readShaped(texts: Texts, tools: "callable" | "none"): Pieces {
  let text = "";
  let next = await texts.next();
  try {
    for (; next.done !== true; next = await texts.next()) {
      text += next.value;
      if (text.length > MOST_ANSWER_CHARACTERS) return { text, calls: [], fault: "the answer is too long" };
    }
  } finally {
    await texts.return("stopped");
  }
  // In a request with tools, no schema has a member `name`. So a text that begins with `{"name": "` is a call.
  if (tools === "callable" && text.startsWith(BEFORE_NAME)) return yield* giveCall(text);
  if (text.includes("\ufffd")) return { text: "", calls: [], fault: "the model's answer is no text" };
  return { text, calls: [], isCut: next.value === "cut" };
}

async function* giveCall(text: string): Pieces {
  // The model wrote bytes that are not valid UTF-8.
  if (text.includes("\ufffd")) return { text: "", calls: [], fault: "the model's call is no text" };
  const call = callIn(text);
  if (call === undefined) return { text: "", calls: [], fault: "the model's call was cut off before it was whole" };
  yield* splitIntoChunks({ text: "", calls: [call], pausesUntilCancelled: false });
  return { text: "", calls: [call] };
}

function callIn(text: string): ToolCall | undefined {
  const read = readJson(text);
  if (!read.ok || !isRecord(read.value)) return undefined;
  const { name, arguments: given } = read.value;
  if (typeof name !== "string" || given === undefined) return undefined;
  return { id: randomUUID(), name, arguments: renderCanonicalJson(given) };
}
