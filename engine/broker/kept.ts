// What a gate needs to go on with a conversation: opaque here, and given back to the gate of the same session alone.

/** A label, a row and a turn are far less. */
export const MAX_STATE_BYTES = 1024;
/** As many conversations as the ledger counts. */
export const MAX_KEPT = 1024;

const NOTHING = new Uint8Array();

export class Kept {
  readonly #states = new Map<string, Uint8Array>();

  /** Why it is not kept; nothing where it is. A conversation that were forgotten to make room could be resumed below its label. */
  keep(conversation: string, state: Uint8Array): string | undefined {
    if (state.length > MAX_STATE_BYTES) return `the state of a conversation has at most ${MAX_STATE_BYTES} bytes`;
    if (!this.#states.has(conversation) && this.#states.size >= MAX_KEPT) {
      return `the states of ${MAX_KEPT} conversations are kept, and there is no room for another`;
    }
    this.#states.set(conversation, Uint8Array.from(state));
    return undefined;
  }

  /** Empty where nothing is kept. */
  of(conversation: string): Uint8Array {
    return this.#states.get(conversation) ?? NOTHING;
  }
}
