import type { InferenceRecord, MessageRecord } from "../../lib/wire/generated/audit.ts";

/** Of one conversation; the oldest are forgotten, and would be on record twice if they came again. */
const MOST_KNOWN = 8192;

/** Which messages of the conversation at hand are on record, and how often: who says the same again has said it twice. */
export class KnownMessages {
  #conversation = "";
  #known = new Map<string, number>();

  /** What of a request is new, and how much of it is not. */
  split(conversation: string, messages: readonly MessageRecord[]): Pick<InferenceRecord, "messages" | "earlier"> {
    const left = new Map(conversation === this.#conversation ? this.#known : []);
    const fresh = messages.filter(({ hash }) => {
      const count = left.get(encodeKey(hash)) ?? 0;
      left.set(encodeKey(hash), count - 1);
      return count <= 0;
    });
    return { messages: fresh, earlier: messages.length - fresh.length };
  }

  /** These are on the disk, besides those that were. */
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
