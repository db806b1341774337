/**
 * Returns how many of the first `most` bytes of a longer text are whole characters of UTF-8. A text that is cut after
 * this number of bytes ends with a character.
 */
export function countWholeBytes(bytes: Uint8Array, most: number): number {
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
