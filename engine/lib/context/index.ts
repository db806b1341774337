export { ContextWindow } from "./context-window.ts";
export { estimatedPrompt, estimatedTokens, MESSAGE_TOKENS, messageText, toolText } from "./tokens.ts";
