import type { ChatMessage, ToolDescriptor } from "../wire/generated/capos.ts";
import { describeTool } from "./tool-words.ts";

/** Number of tokens that a backend adds to each message, for the role and the end of the message. */
export const MESSAGE_TOKENS = 8;
/** Characters per token if a model has no tokenizer: four, as is usual for English. */
const CHARACTERS_PER_TOKEN = 4;

/** Returns the estimated tokens of a text, rounded up. Characters are UTF-16 code units. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** Returns the text whose tokens are counted for a message. */
export function renderMessageText({ content, toolCalls }: ChatMessage): string {
  return [content, ...toolCalls.map(({ name, arguments: args }) => `${name} ${args}`)].join("\n");
}

/**
 * Returns the text whose tokens are counted for a tool. The text includes the mode of the tool, because remote models receive the mode.
 */
export function renderToolText(tool: ToolDescriptor): string {
  return `${tool.name} ${describeTool(tool)} ${tool.paramSchema}`;
}

/**
 * Returns the estimated tokens of a whole request. The sender and the receiver must count alike; otherwise one of them refuses a
 * request that fits by the count of the other.
 */
export function estimatePromptTokens(messages: readonly ChatMessage[], tools: readonly ToolDescriptor[]): number {
  const said = messages.reduce((sum, message) => sum + estimateTokens(renderMessageText(message)) + MESSAGE_TOKENS, 0);
  return tools.reduce((sum, tool) => sum + estimateTokens(renderToolText(tool)), said);
}
