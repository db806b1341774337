/** What the broker takes from its machine; tests give their own. */
export interface World {
  /** Whole milliseconds since the machine started; never goes back. */
  readonly now: () => number;
  /** Bytes that nobody can guess. */
  readonly random: (bytes: number) => Uint8Array;
}

/** Leases and nonces: 128 bits cannot be guessed, nor met twice. */
export const TOKEN_BYTES = 16;
