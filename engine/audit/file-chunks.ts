import { readSync } from "node:fs";

const CHUNK_BYTES = 256 * 1024;

/** The bytes of an open file from its start, a new array each time. What the disk refuses is thrown. */
export function* chunksOf(file: number): Generator<Uint8Array, void> {
  for (let position = 0; ; ) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const read = readSync(file, chunk, 0, chunk.length, position);
    if (read === 0) return;
    yield chunk.subarray(0, read);
    position += read;
  }
}
