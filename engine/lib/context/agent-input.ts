// Processes one line of a person: a typed call runs and leaves its result in the window; any other line is text for the model.

import type { Result } from "../result/result.ts";
import type { ContextWindow, Message } from "./context-window.ts";
import { parseTypedCall, type ToolCall, type ToolRegistry } from "./tool-registry.ts";

interface Processed {
  /** Result of the call, or why it failed. Absent if the person typed text for the model instead of a call. */
  readonly result?: Result<string>;
  /** Messages that no longer fit into the context window, because the line or the result was added. */
  readonly evicted: readonly Message[];
}

export async function processInput(line: string, window: ContextWindow, registry: ToolRegistry): Promise<Processed> {
  const call = parseTypedCall(line);
  return call === undefined ? { evicted: window.push("user", line) } : runCall(call, window, registry);
}

/** Runs a call, and adds its result or error to the window as a message of the tool. */
export async function runCall(call: ToolCall, window: ContextWindow, registry: ToolRegistry): Promise<Processed> {
  const result = await registry.execute(call);
  return { result, evicted: window.push("tool", result.ok ? result.value : result.reason) };
}
