import type { InferenceRecord, MessageRecord } from "../../lib/wire/generated/audit.ts";

/**
 * Maximum number of messages remembered of one conversation. The oldest messages are forgotten, and are recorded again
 * if a later request contains them.
 */
const MOST_KNOWN = 8192;

/** Counts how often each message of the current conversation is recorded. One that is said twice is recorded twice. */
export class KnownMessages {
  #conversation = "";
  #known = new Map<string, number>();

  /** Returns the new messages of a request, and how many were recorded before. */
  split(conversation: string, messages: readonly MessageRecord[]): Pick<InferenceRecord, "messages" | "earlier"> {
    const left = new Map(conversation === this.#conversation ? this.#known : []);
    const fresh = messages.filter(({ hash }) => {
      const count = left.get(encodeKey(hash)) ?? 0;
      left.set(encodeKey(hash), count - 1);
      return count <= 0;
    });
    return { messages: fresh, earlier: messages.length - fresh.length };
  }

  /** Adds messages that are now on the disk. */
  add(conversation: string, messages: readonly MessageRecord[]): void {
    if (conversation !== this.#conversation) this.#known = new Map();
    this.#conversation = conversation;
    for (const { hash } of messages) this.#known.set(encodeKey(hash), (this.#known.get(encodeKey(hash)) ?? 0) + 1);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }
}

function encodeKey(hash: Uint8Array): string {
  return Buffer.from(hash).toString("latin1");
}
