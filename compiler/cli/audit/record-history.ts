// Collects the history of one record: the request to a model, its response, the calls that it proposed, and their outcomes. The nonce of
// the request connects them. A call that a person typed has no nonce; its outcome names its intent instead.

import type { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { encodeHex } from "./record-text.ts";

export class Way {
  readonly #of: bigint;
  #isFound = false;
  /** Nonce of the model request to which the record belongs; empty if it belongs to none. */
  #nonce = "";
  /** Sequence numbers of the record itself and of its intent. */
  readonly #sequences = new Set<bigint>();

  constructor(of: bigint) {
    this.#of = of;
    this.#sequences.add(of);
  }

  /**
   * If this is the wanted record, stores the nonce of its request and the number of its intent. Must be called with
   * each record of the log before `has` is called.
   */
  look({ sequence, entry }: AuditRecord): void {
    if (sequence !== this.#of) return;
    this.#isFound = true;
    this.#nonce = getNonce(entry);
    if (entry.which === "outcome" && entry.outcome.intent !== 0n) this.#sequences.add(entry.outcome.intent);
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  has({ sequence, entry }: AuditRecord): boolean {
    if (this.#sequences.has(sequence)) return true;
    if (entry.which === "outcome" && this.#sequences.has(entry.outcome.intent)) return true;
    return this.#nonce !== "" && getNonce(entry) === this.#nonce;
  }
}

function getNonce(entry: AuditRecord["entry"]): string {
  switch (entry.which) {
    case "intent":
      return encodeHex(entry.intent.nonce);
    case "outcome":
      return encodeHex(entry.outcome.nonce);
    case "inference":
      return encodeHex(entry.inference.nonce);
    case "boot":
    case "session":
    case "seal":
    case "shipped":
    case "checkpoint":
    case "released":
      return "";
  }
}
