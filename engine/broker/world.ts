/** What the broker takes from its machine; tests give their own. */
export interface World {
  /** Whole milliseconds since the machine started; never goes back. */
  readonly now: () => number;
  /** Milliseconds since 1970 by the machine's own clock, which nobody vouches for; anything where it has none. */
  readonly wall: () => number;
  /** Bytes that nobody can guess. */
  readonly random: (bytes: number) => Uint8Array;
}

/** Leases and nonces: 128 bits cannot be guessed, nor met twice. */
export const TOKEN_BYTES = 16;
