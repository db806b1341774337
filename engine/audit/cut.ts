// Cuts a file into messages without reading it whole, and judges what is left at its end. A crash leaves a torn tail: bytes
// that were never acknowledged. What a crash cannot leave is a fault.

import { beginsWithRecord, bytesClaimed, HEADER_BYTES } from "./record.ts";

export type Piece =
  | { readonly kind: "message"; readonly offset: number; readonly bytes: Uint8Array }
  /** The last piece: what a crash left of records whose writing was not finished. */
  | { readonly kind: "torn"; readonly offset: number; readonly length: number }
  /** The last piece: from here on nothing can be said. */
  | { readonly kind: "fault"; readonly offset: number; readonly reason: string };

/**
 * A file grows before its bytes are on the disk: after a crash ext4 shows zeros there, up to the end of the block that the
 * file had. Blocks of 64 KiB are the largest there are.
 */
const MAX_ZEROS = 64 * 1024;

/** Takes the chunks of a file one by one; holds no more than one record and one chunk. */
export function* piecesOf(chunks: Iterable<Uint8Array>): Generator<Piece, void> {
  let held: Uint8Array = new Uint8Array(0);
  let offset = 0;
  for (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (let size = sizeOfFirst(held); size !== undefined && size <= held.length; size = sizeOfFirst(held)) {
      yield { kind: "message", offset, bytes: held.subarray(0, size) };
      held = held.subarray(size);
      offset += size;
    }
    if (isHopeless(held)) break;
  }
  if (held.length > 0) yield judgeRest(held, offset);
}

function sizeOfFirst(held: Uint8Array): number | undefined {
  if (held.length < HEADER_BYTES) return undefined;
  const claimed = bytesClaimed(held);
  return claimed.ok ? claimed.value : undefined;
}

/** Neither a message that goes on nor zeros that might reach the end of the file. */
function isHopeless(held: Uint8Array): boolean {
  if (held.length < HEADER_BYTES || bytesClaimed(held).ok) return false;
  return held.length > MAX_ZEROS || !isZero(held);
}

function judgeRest(rest: Uint8Array, offset: number): Piece {
  const torn: Piece = { kind: "torn", offset, length: rest.length };
  if (rest.length < HEADER_BYTES) return torn;
  const claimed = bytesClaimed(rest);
  if (!claimed.ok) {
    const isTorn = rest.length <= MAX_ZEROS && isZero(rest);
    return isTorn ? torn : { kind: "fault", offset, reason: claimed.reason };
  }
  // A changed header must not pass a whole record, and all that follows it, off as a torn one.
  if (!beginsWithRecord(rest)) return torn;
  return { kind: "fault", offset, reason: "the header claims more than the record that follows it" };
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}
