import { TOKEN_BYTES, type World } from "../world.ts";

/**
 * Maximum number of leases that are not settled. A gate has one call in flight, so if there are more leases than this,
 * the gate has lost the oldest ones. Their charges are not refunded.
 */
export const MAX_OPEN_LEASES = 256;

/** Single-use tokens of one session. Each token represents the charge of its call. */
export class Leases<Charged> {
  readonly #open = new Map<string, Charged>();
  readonly #random: World["random"];

  constructor(random: World["random"]) {
    this.#random = random;
  }

  issue(charged: Charged): Uint8Array {
    const [oldest] = this.#open.keys();
    if (this.#open.size >= MAX_OPEN_LEASES && oldest !== undefined) this.#open.delete(oldest);
    const lease = this.#random(TOKEN_BYTES);
    this.#open.set(encodeKey(lease), charged);
    return lease;
  }

  /** Ends a lease and returns what was charged; `undefined` if the lease does not exist or has ended. */
  take(lease: Uint8Array): Charged | undefined {
    const key = encodeKey(lease);
    const charged = this.#open.get(key);
    this.#open.delete(key);
    return charged;
  }
}

function encodeKey(lease: Uint8Array): string {
  return Buffer.from(lease.buffer, lease.byteOffset, lease.length).toString("latin1");
}
