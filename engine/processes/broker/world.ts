/** The clock and the random bytes of the machine; tests pass simulated ones. */
export interface World {
  /** Returns whole milliseconds since the machine started, which never decrease. */
  readonly now: () => number;
  /**
   * Milliseconds since 1970 by the machine's own clock, which may be wrong; an arbitrary number if the machine has no
   * clock.
   */
  readonly wall: () => number;
  /** Returns bytes that cannot be guessed. */
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Returns a source of buffered random bytes, because each request to the kernel is expensive and a thousand bytes cost
 * little more than one. No byte is used twice.
 */
export function makeBufferedRandom(random: World["random"], stock = 2048): World["random"] {
  let bytes: Uint8Array = new Uint8Array(0);
  let at = 0;
  return (count) => {
    if (count > stock) return random(count);
    if (at + count > bytes.length) [bytes, at] = [random(stock), 0];
    at += count;
    // Copy: `slice` of a Buffer would share memory with the buffer of random bytes, and be wiped with it.
    const taken = Uint8Array.from(bytes.subarray(at - count, at));
    bytes.fill(0, at - count, at);
    return taken;
  };
}

/** Length of leases and nonces: 128 bits can neither be guessed nor repeat by chance. */
export const TOKEN_BYTES = 16;
