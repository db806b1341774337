// One record's way: what a model was asked, what it answered, the calls that it proposed, and what came of them. The nonce of the
// request ties them together; where there is none, as of a call that a person typed, an outcome names its intent.

import type { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { encodeHex } from "./record-text.ts";

export class Way {
  readonly #of: bigint;
  #isFound = false;
  /** Empty: nothing was asked of a model. */
  #nonce = "";
  /** The record itself, and the intent of it. */
  readonly #sequences = new Set<bigint>();

  constructor(of: bigint) {
    this.#of = of;
    this.#sequences.add(of);
  }

  /** Each record, in order, before the way is asked for. */
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
      return "";
  }
}
