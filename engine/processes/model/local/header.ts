import { closeSync, openSync, readSync } from "node:fs";
import type { Result } from "../../../lib/result/result.ts";
import { type GgufHeader, MOST_HEAD_BYTES, readGguf } from "../../../lib/weights/gguf.ts";

/**
 * Reads the header, so that the engine is not the first to parse the weights. `contentBytes` is the size of the weights on the signed
 * card, because a device does not report its size. Fails if the header is invalid.
 */
export function readHeader(path: string, contentBytes: number): Result<GgufHeader> {
  const descriptor = openSync(path, "r");
  try {
    const head = Buffer.alloc(MOST_HEAD_BYTES);
    let length = 0;
    for (let read = 1; read > 0; length += read)
      read = readSync(descriptor, head, length, head.length - length, length);
    return readGguf(head.subarray(0, length), contentBytes);
  } finally {
    closeSync(descriptor);
  }
}
