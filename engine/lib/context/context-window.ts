// An agent's working memory: a bounded sequence of messages. The system prompt is never evicted; of the other messages the oldest is
// evicted first. Evicted messages are returned, so that a caller with a store can keep them.

import { accept, type Result, refuse } from "../result/result.ts";
import { estimateTokens } from "./tokens.ts";

export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  /** Number of tokens, estimated from the length of the content. */
  readonly tokens: number;
}

export class ContextWindow {
  readonly maxTokens: number;
  readonly #system: Message;
  #recent: readonly Message[] = [];

  private constructor(maxTokens: number, system: Message) {
    this.maxTokens = maxTokens;
    this.#system = system;
  }

  /** Opens a window. Fails if the system prompt alone does not fit, because then no later message can fit. */
  static open(maxTokens: number, systemPrompt: string): Result<ContextWindow> {
    const system = makeMessage("system", systemPrompt);
    if (system.tokens <= maxTokens) return accept(new ContextWindow(maxTokens, system));
    return refuse(`the system prompt has ${system.tokens} tokens, and the window ${maxTokens}`);
  }

  /** Messages in order, the system prompt first. */
  get messages(): readonly Message[] {
    return [this.#system, ...this.#recent];
  }

  /** Tokens of all messages; at most `maxTokens`. */
  get tokens(): number {
    return this.messages.reduce((sum, message) => sum + message.tokens, 0);
  }

  /**
   * Adds a message, and returns the evicted messages, oldest first. If the new message does not fit even after all
   * earlier messages were evicted, it is evicted too, as the last one.
   */
  push(role: Exclude<Message["role"], "system">, content: string): readonly Message[] {
    const messages = [...this.#recent, makeMessage(role, content)];
    let excess = this.tokens + estimateTokens(content) - this.maxTokens;
    let gone = 0;
    for (const { tokens } of messages) {
      if (excess <= 0) break;
      excess -= tokens;
      gone += 1;
    }
    this.#recent = messages.slice(gone);
    return messages.slice(0, gone);
  }
}

function makeMessage(role: Message["role"], content: string): Message {
  return { role, content, tokens: estimateTokens(content) };
}
