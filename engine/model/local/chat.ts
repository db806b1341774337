// A conversation as the model is asked it: ChatML, and nothing that a file of weights brings. Words that begin and end
// messages are tokens of their own; whatever people, tools and models wrote is letters, also where it spells such a word.

import type { ChatMessage, ToolDescriptor } from "../../wire/generated/capos.ts";

/** Text, and whether words in it stand for what ends messages. */
export interface Piece {
  readonly text: string;
  readonly isMark: boolean;
}

const mark = (text: string): Piece => ({ text, isMark: true });
const plain = (text: string): Piece => ({ text, isMark: false });

/** The conversation up to where the model goes on. */
export function chatOf(messages: readonly ChatMessage[], tools: readonly ToolDescriptor[]): readonly Piece[] {
  const table = tools.length === 0 ? [] : message("system", toolTable(tools));
  const [first, ...others] = messages;
  const head =
    first?.role === "system" ? [...messageOf(first), ...table] : [...table, ...(first ? messageOf(first) : [])];
  return [...head, ...others.flatMap(messageOf), mark("<|im_start|>"), plain("assistant\n")];
}

function messageOf({ role, content, toolCalls }: ChatMessage): readonly Piece[] {
  // A result is nobody's word: it comes to the model from outside, as a person's text does.
  if (role === "tool") return message("user", `Result of the call:\n${content}`);
  return message(role, [content, ...toolCalls.map(callText)].filter((text) => text !== "").join("\n"));
}

function message(role: string, text: string): readonly Piece[] {
  return [mark("<|im_start|>"), plain(`${role}\n${text}`), mark("<|im_end|>"), plain("\n")];
}

/** As the grammar has the model write it. */
export function callText({ name, arguments: json }: { readonly name: string; readonly arguments: string }): string {
  return `{"name": ${JSON.stringify(name)}, "arguments": ${json}}`;
}

function toolTable(tools: readonly ToolDescriptor[]): string {
  const lines = tools.map(
    ({ name, description, paramSchema }) => `- ${name}: ${oneLine(description)}\n  ${paramSchema}`,
  );
  return `${HOW_TO_CALL}\n${lines.join("\n")}`;
}

const HOW_TO_CALL =
  'You can call a tool: answer with {"name": NAME, "arguments": {...}} and nothing else. If none is needed, answer in words. Tools:';

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
