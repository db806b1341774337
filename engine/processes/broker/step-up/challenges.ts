// Stores challenges of one session: nonces and lines that a person was asked to sign. The first proof that names a
// nonce spends it, whether the proof is valid or not. Each session has its own challenges, so that a nonce is unknown
// in another session.

import { TOKEN_BYTES, type World } from "../world.ts";

/**
 * Maximum number of outstanding challenges. A gate asks one question at a time, so if there are more challenges, the
 * older ones were lost.
 */
export const MAX_OUTSTANDING = 4;
/**
 * Maximum number of spent nonces that are stored, so that a replay is reported as a replay. A forgotten nonce counts as unknown,
 * and is refused as well.
 */
export const MAX_REMEMBERED = 64;

export type ChallengeFault = "expired" | "replayed" | "dropped" | "unknown challenge";

interface Outstanding {
  readonly line: string;
  readonly expiry: number;
}

/** The line that the person had to sign, or why the challenge is not valid. */
type Taken = { readonly ok: true; readonly line: string } | { readonly ok: false; readonly fault: ChallengeFault };

export class Challenges {
  readonly #world: World;
  readonly #outstanding = new Map<string, Outstanding>();
  readonly #spent = new Map<string, ChallengeFault>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Returns a nonce that no challenge had before. */
  createNonce(): Uint8Array {
    return this.#world.random(TOKEN_BYTES);
  }

  add(nonce: Uint8Array, challenge: Outstanding): void {
    const [oldest] = this.#outstanding.keys();
    if (this.#outstanding.size >= MAX_OUTSTANDING && oldest !== undefined) this.#spend(oldest, "dropped");
    this.#outstanding.set(encodeHex(nonce), challenge);
  }

  take(nonce: Uint8Array): Taken {
    const key = encodeHex(nonce);
    const challenge = this.#outstanding.get(key);
    if (challenge === undefined) return { ok: false, fault: this.#spent.get(key) ?? "unknown challenge" };
    this.#spend(key, "replayed");
    const expired = this.#world.now() >= challenge.expiry;
    return expired ? { ok: false, fault: "expired" } : { ok: true, line: challenge.line };
  }

  #spend(key: string, fault: ChallengeFault): void {
    this.#outstanding.delete(key);
    this.#spent.set(key, fault);
    const [oldest] = this.#spent.keys();
    if (this.#spent.size > MAX_REMEMBERED && oldest !== undefined) this.#spent.delete(oldest);
  }
}

function encodeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
