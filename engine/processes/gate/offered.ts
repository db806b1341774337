import type { ToolTable } from "./descriptors.ts";

/** What the loop is given to propose from. */
export interface Description extends ToolTable {
  readonly turn: number;
  /** For the inference that is made from it; made here, so that it need not be believed. */
  readonly nonce: Uint8Array;
  /** Whose model answers it, and what the audit calls that. */
  readonly backend: string;
  readonly model: string;
}

/** The tool table that the loop was given last, as long as calls may be made from it. */
export class Offered {
  #newest: Description | undefined;

  get newest(): Description | undefined {
    return this.#newest;
  }

  /** Voids the one before. */
  give(description: Description): void {
    this.#newest = description;
  }

  /** No call may be made from it any more. */
  withdraw(): void {
    this.#newest = undefined;
  }
}
