export { ContextWindow } from "./context-window.ts";
export { estimatePromptTokens, estimateTokens, MESSAGE_TOKENS, renderMessageText, renderToolText } from "./tokens.ts";
export { describeTool } from "./tool-words.ts";
