// Renders a conversation for the model in ChatML; it uses no template from a file of weights. Words that begin and end messages are
// special tokens. Text of people, tools and models is plain characters, even if it spells such a word.

import { isList, isRecord, type Json, readJson } from "../../../lib/policy/index.ts";
import type { ChatMessage, ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
import { renderSignature } from "./signature.ts";

/** A text, and whether words in it are the special tokens that begin and end messages. */
export interface Piece {
  readonly text: string;
  readonly isMark: boolean;
}

const mark = (text: string): Piece => ({ text, isMark: true });
const makePlain = (text: string): Piece => ({ text, isMark: false });

/** Renders the conversation up to the beginning of the model's answer. */
export function renderChat(messages: readonly ChatMessage[], tools: readonly ToolDescriptor[]): readonly Piece[] {
  return [...renderHead(messages, tools), ...renderRest(messages)];
}

/** Renders the head of a conversation, which is the same for every user: the system message and the table of tools. */
export function renderHead(messages: readonly ChatMessage[], tools: readonly ToolDescriptor[]): readonly Piece[] {
  const [first] = messages;
  const words = isSystem(first) ? renderMessage(first) : [];
  return [...words, ...(tools.length === 0 ? [] : wrapMessage("system", renderToolTable(tools)))];
}

/** Renders the part after the head: the other messages, and the beginning of the model's answer. */
export function renderRest(messages: readonly ChatMessage[]): readonly Piece[] {
  const others = isSystem(messages[0]) ? messages.slice(1) : messages;
  return [...others.flatMap(renderMessage), mark("<|im_start|>"), makePlain("assistant\n")];
}

function isSystem(message: ChatMessage | undefined): message is ChatMessage {
  return message?.role === "system";
}

function renderMessage({ role, content, toolCalls }: ChatMessage): readonly Piece[] {
  // A result has no speaker of its own: for the model it is external text, like a person's.
  if (role === "tool") return wrapMessage("user", `Result of the call:\n${content}`);
  return wrapMessage(role, [content, ...toolCalls.map(callText)].filter((text) => text !== "").join("\n"));
}

function wrapMessage(role: string, text: string): readonly Piece[] {
  return [mark("<|im_start|>"), makePlain(`${role}\n${text}`), mark("<|im_end|>"), makePlain("\n")];
}

/**
 * Renders a call exactly as the grammar makes the model write it. So the engine recognizes the tokens of a past call,
 * and need not compute them again.
 */
export function callText({ name, arguments: json }: { readonly name: string; readonly arguments: string }): string {
  const read = readJson(json);
  return `{"name": ${JSON.stringify(name)}, "arguments": ${read.ok ? renderSpaced(read.value) : json}}`;
}

function renderSpaced(value: Json): string {
  if (isList(value)) return `[${value.map(renderSpaced).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${renderSpaced(member)}`);
  return `{${members.join(", ")}}`;
}

/** Renders the tools as signatures: a schema takes three times as many tokens as a signature, and a small model understands it worse. */
function renderToolTable(tools: readonly ToolDescriptor[]): string {
  return `${HOW_TO_CALL}\n${tools.map((tool) => `- ${renderSignature(tool)}`).join("\n")}`;
}

const HOW_TO_CALL =
  'To call a tool, answer with {"name": NAME, "arguments": {...}} and nothing else. If none fits, answer in words. Tools:';
