// Stores the conversation, and reads it back from the store. The gate decides which conversation is open, and the store
// returns its name. If sayings cannot be stored the loop continues and says so, once for each reason.

import type { ToolCall, ToolResult } from "../../lib/wire/generated/capos.ts";
import {
  ConversationLog,
  type ConversationLogRecallResults,
  type ConversationLogRecentResults,
  type Saying,
  type Window,
} from "../../lib/wire/generated/conversations.ts";
import type { Connection } from "../../lib/wire/index.ts";

/** Name of the conversation if no store provides one; a gate without a store accepts it. */
const UNKEPT = "main";
const STORE_TIMEOUT_MS = 20_000;
/** Maximum UTF-16 units of one saying in the store; a longer one is cut, with a note. */
const MAX_KEPT_LENGTH = 48 * 1024;

export class History {
  readonly #store: Connection;
  #conversation: string | undefined;
  #told: string | undefined;
  #remarks: string[] = [];

  constructor(store: Connection) {
    this.#store = store;
  }

  get conversation(): string {
    return this.#conversation ?? UNKEPT;
  }

  /** Returns messages about the store for the person, each message once. */
  takeRemarks(): readonly string[] {
    return this.#remarks.splice(0);
  }

  /** Returns the earlier part of the conversation, or `undefined` if it is known already or the store does not answer. */
  async begin(): Promise<ConversationLogRecentResults | undefined> {
    if (this.#conversation !== undefined) return undefined;
    const reply = await this.#store.call(ConversationLog.methods.recent, {}, { timeoutMs: STORE_TIMEOUT_MS });
    if (!reply.ok) {
      this.#tell(reply.reason);
      return undefined;
    }
    this.#conversation = reply.value.conversation;
    return reply.value;
  }

  /** Stores sayings, and returns them with their sequence numbers in the store; the number 0 means that the saying is not stored. */
  async keep(sayings: readonly Saying[]): Promise<readonly Saying[]> {
    const kept = sayings.map(truncateSaying);
    const params = { conversation: this.conversation, sayings: kept };
    const reply = await this.#store.call(ConversationLog.methods.append, params, { timeoutMs: STORE_TIMEOUT_MS });
    if (!reply.ok) {
      this.#tell(reply.reason);
      return sayings;
    }
    const first = reply.value.last - BigInt(sayings.length) + 1n;
    return sayings.map((saying, index) => ({ ...saying, sequence: first + BigInt(index) }));
  }

  /** Returns sayings that match these words and have a sequence number below `before`, best first; none if the store does not answer. */
  async recall(words: string, before: bigint, mostBytes: number): Promise<ConversationLogRecallResults> {
    const params = { conversation: this.conversation, words, before, mostBytes };
    const reply = await this.#store.call(ConversationLog.methods.recall, params, { timeoutMs: STORE_TIMEOUT_MS });
    return reply.ok ? reply.value : { sayings: [], isOff: false, byMeaning: [] };
  }

  /**
   * Reports to the store which part of the conversation the model sees (the window), without waiting for the answer.
   */
  reportWindow(window: Window): void {
    void this.#store.call(ConversationLog.methods.account, { conversation: this.conversation, window });
  }

  #tell(reason: string): void {
    if (reason === this.#told) return;
    this.#told = reason;
    this.#remarks.push(`what is said is not kept: ${reason}`);
  }
}

export const NOTHING_SAID: Saying = {
  sequence: 0n,
  turn: 0,
  role: "user",
  text: "",
  calls: [],
  callId: "",
  source: "",
  outcome: "ok",
  through: 0n,
  saidMs: 0n,
};

export function createUserSaying(text: string, turn: number): Saying {
  return { ...NOTHING_SAID, role: "user", text, turn };
}

export function createAssistantSaying(text: string, calls: readonly ToolCall[], turn: number): Saying {
  return { ...NOTHING_SAID, role: "assistant", text, calls, turn };
}

export function createToolSaying(call: ToolCall, { outcome, content, error }: ToolResult, turn: number): Saying {
  const text = outcome === "ok" ? content : error;
  return { ...NOTHING_SAID, role: "tool", text, callId: call.id, source: call.name, outcome, turn };
}

/** Cuts a saying that would not fit: eight calls with arguments of 128 KiB exceed a frame. */
function truncateSaying(saying: Saying): Saying {
  const { text, calls } = saying;
  if (text.length + calls.reduce((sum, call) => sum + call.arguments.length, 0) <= MAX_KEPT_LENGTH) return saying;
  const each = Math.floor(MAX_KEPT_LENGTH / (calls.length + 1));
  const cutCalls = calls.map((call) => ({ ...call, arguments: cutText(call.arguments, each) }));
  return { ...saying, text: cutText(text, each), calls: cutCalls };
}

/** Cuts a text, with a note of what is missing. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length).toWellFormed()} [cut: ${text.length - length} more characters]`;
}
