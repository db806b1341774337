import type { ChatMessage, ToolDescriptor } from "../wire/generated/capos.ts";
import { describeTool } from "./tool-words.ts";

/** What a backend puts around a message: who speaks, and where it ends. */
export const MESSAGE_TOKENS = 8;
/** Where a model brings no tokenizer: four characters count as one token, as is usual for English. */
const CHARACTERS_PER_TOKEN = 4;

/** Characters are UTF-16 code units; what is begun is counted as a whole token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** What of a message is counted. */
export function renderMessageText({ content, toolCalls }: ChatMessage): string {
  return [content, ...toolCalls.map(({ name, arguments: args }) => `${name} ${args}`)].join("\n");
}

/** What of a tool is counted: its mode too, of which a remote model is told. */
export function renderToolText(tool: ToolDescriptor): string {
  return `${tool.name} ${describeTool(tool)} ${tool.paramSchema}`;
}

/** Of a whole request. Whoever makes one and whoever takes it must count alike, or what fits the one is refused by the other. */
export function estimatePromptTokens(messages: readonly ChatMessage[], tools: readonly ToolDescriptor[]): number {
  const said = messages.reduce((sum, message) => sum + estimateTokens(renderMessageText(message)) + MESSAGE_TOKENS, 0);
  return tools.reduce((sum, tool) => sum + estimateTokens(renderToolText(tool)), said);
}
