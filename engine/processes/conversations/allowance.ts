// Limits what a loop may store in one turn. The number of bytes is limited, and the only text of a person is the line that the person
// typed. A compromised loop therefore needs many turns to fill its session's part of the disk, and cannot forge the person's words.

import { loadCrypto } from "../../lib/wire/crypto.ts";
import type { Saying } from "../../lib/wire/generated/conversations.ts";
import { MAX_TURN_BYTES } from "./limits.ts";
import { countSayingBytes } from "./saying.ts";

const NOT_SAID = "it is not what the person said in this turn";

export class Allowance {
  #bytes = MAX_TURN_BYTES;
  /** SHA-256 of the person's line, until the line is stored. */
  #said: Uint8Array | undefined;

  /** Begins a turn. `said` is the SHA-256 of the line with which a person began the turn; empty if the turn has no line. */
  begin(said: Uint8Array): void {
    this.#bytes = MAX_TURN_BYTES;
    this.#said = said.length === 0 ? undefined : Uint8Array.from(said);
  }

  /** Returns why these sayings may not be stored, or `undefined` if they may. */
  findObjection(sayings: readonly Saying[]): string | undefined {
    const own = sayings.filter(({ role }) => role === "user");
    if (own.length > 1 || own.some(({ text }) => !this.#isSaid(text))) return NOT_SAID;
    if (sum(sayings) <= this.#bytes) return undefined;
    return `what is kept of one turn is ${MAX_TURN_BYTES / 1024} KiB at most`;
  }

  /** Counts sayings that were stored. */
  spend(sayings: readonly Saying[]): void {
    this.#bytes -= sum(sayings);
    if (sayings.some(({ role }) => role === "user")) this.#said = undefined;
  }

  #isSaid(text: string): boolean {
    const digest = loadCrypto().createHash("sha256").update(text).digest();
    return this.#said !== undefined && Buffer.compare(digest, this.#said) === 0;
  }
}

function sum(sayings: readonly Saying[]): number {
  return sayings.reduce((total, saying) => total + countSayingBytes(saying), 0);
}
