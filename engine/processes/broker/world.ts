/** The clock and the random bytes that the broker takes from its machine; tests pass their own. */
export interface World {
  /** Whole milliseconds since the machine started; never goes back. */
  readonly now: () => number;
  /** Milliseconds since 1970 by the machine's own clock, which nobody vouches for; an arbitrary number if it has none. */
  readonly wall: () => number;
  /** Returns bytes that nobody can guess. */
  readonly random: (bytes: number) => Uint8Array;
}

/** Random bytes are dear to ask for and cheap by the thousand: the next few calls find theirs here. None is given twice. */
export function makeBufferedRandom(random: World["random"], stock = 2048): World["random"] {
  let bytes: Uint8Array = new Uint8Array(0);
  let at = 0;
  return (count) => {
    if (count > stock) return random(count);
    if (at + count > bytes.length) [bytes, at] = [random(stock), 0];
    at += count;
    // A copy: `slice` of a Buffer, which is what Node's random bytes are, would be wiped with the stock.
    const taken = Uint8Array.from(bytes.subarray(at - count, at));
    bytes.fill(0, at - count, at);
    return taken;
  };
}

/** Leases and nonces: 128 bits cannot be guessed, nor met twice. */
export const TOKEN_BYTES = 16;
