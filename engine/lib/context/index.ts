export { type Processed, processInput, runCall } from "./agent-input.ts";
export { ContextWindow, type Message } from "./context-window.ts";
export { estimatedPrompt, estimatedTokens, MESSAGE_TOKENS, messageText, toolText } from "./tokens.ts";
export { proposedCall, type Tool, type ToolCall, ToolRegistry, typedCall } from "./tool-registry.ts";
