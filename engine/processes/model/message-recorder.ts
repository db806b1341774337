// Records the messages and answers under a permit, without their text; the gate sends them to the audit. The worker reports
// messages and answers, because no other trusted party has both. The loop has both, but is not trusted.

import { loadCrypto } from "../../lib/wire/crypto.ts";
import type { MessageRecord } from "../../lib/wire/generated/audit.ts";
import { ChatMessage, type StreamChunk, type ToolCall } from "../../lib/wire/generated/capos.ts";
import { encode } from "../../lib/wire/index.ts";

/** Maximum number of messages recorded for one request; the oldest are omitted. A frame has room for many times as many messages. */
const MOST_MESSAGES = 2048;
/**
 * Maximum number of recorded calls of one answer. A model numbers its calls from 0; a call with a much higher number
 * is not recorded, and takes no memory here.
 */
const MOST_CALLS = 256;

export function recordOf(message: ChatMessage): MessageRecord {
  const hash = loadCrypto().createHash("sha256").update(encode(ChatMessage, message)).digest();
  return { role: message.role, bytes: Buffer.byteLength(message.content), hash };
}

/** The messages of one request, and the answer as it was sent. */
export class MessageRecorder {
  #heard: readonly MessageRecord[] = [];
  #text: string[] = [];
  readonly #calls: ToolCall[] = [];

  recordMessages(messages: readonly ChatMessage[]): void {
    this.#heard = messages.slice(-MOST_MESSAGES).map(recordOf);
  }

  recordChunk({ textDelta, toolCallDelta: { index, id, name, argumentsDelta } }: StreamChunk): void {
    if (textDelta !== "") this.#text.push(textDelta);
    if (index >= MOST_CALLS || (id === "" && name === "" && argumentsDelta === "")) return;
    while (this.#calls.length <= index) this.#calls.push({ id: "", name: "", arguments: "" });
    const call = this.#calls[index] ?? { id: "", name: "", arguments: "" };
    this.#calls[index] = { id: call.id + id, name: call.name + name, arguments: call.arguments + argumentsDelta };
  }

  /** Returns the records of the request and of the answer; an answer without text and calls has no record. */
  listRecords(): readonly MessageRecord[] {
    const content = this.#text.join("");
    if (content === "" && this.#calls.length === 0) return this.#heard;
    return [...this.#heard, recordOf({ role: "assistant", content, toolCallId: "", toolCalls: this.#calls })];
  }
}
