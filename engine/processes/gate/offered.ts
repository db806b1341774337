import type { ToolTable } from "./descriptors.ts";

/** The tools and the permit from which the loop makes proposals. */
export interface Description extends ToolTable {
  readonly turn: number;
  /** Nonce of the inference that uses it. The gate generates it, so that it can be trusted. */
  readonly nonce: Uint8Array;
  /** Backend whose model answers; `model` is the model's ID in the audit. */
  readonly backend: string;
  readonly model: string;
}

/** The newest tool table of the loop, until it becomes void. */
export class Offered {
  #newest: Description | undefined;

  get newest(): Description | undefined {
    return this.#newest;
  }

  /** Replaces the table, and voids the previous one. */
  give(description: Description): void {
    this.#newest = description;
  }

  /** Voids the table, so that no call may be proposed from it. */
  withdraw(): void {
    this.#newest = undefined;
  }
}
