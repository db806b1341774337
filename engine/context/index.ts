export { type Processed, processInput, runCall } from "./agent-input.ts";
export { ContextWindow, type Message } from "./context-window.ts";
export { estimatedTokens } from "./tokens.ts";
export { proposedCall, type Tool, type ToolCall, ToolRegistry, typedCall } from "./tool-registry.ts";
