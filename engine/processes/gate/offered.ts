import type { ToolTable } from "./descriptors.ts";

/** The tool table and the permit for one answer of a model, in which the model may propose calls of these tools. */
export interface Description extends ToolTable {
  readonly turn: number;
  /**
   * Nonce of the one answer for which the tools and the permit are valid. The gate generates the nonce, so that the
   * nonce can be trusted.
   */
  readonly nonce: Uint8Array;
  /** Backend whose model answers; `model` is the model's ID in the audit. */
  readonly backend: string;
  readonly model: string;
}

/** The tool table that the loop was given last, as long as calls may be made from it. */
export class Offered {
  #newest: Description | undefined;

  get newest(): Description | undefined {
    return this.#newest;
  }

  /** Replaces the table, and voids the previous one. */
  give(description: Description): void {
    this.#newest = description;
  }

  /** Voids the table: no call may be made from it any more. */
  withdraw(): void {
    this.#newest = undefined;
  }
}
