// Reads connections into one reused buffer. This is faster than Node's streams, which allocate and queue memory for
// each piece and then check for more.

import { type OnReadOpts, Socket } from "node:net";
import { bug } from "../result/bug.ts";

/** Maximum bytes of one read. */
const PIECE_BYTES = 64 * 1024;

/** Buffer that all sockets of this process share. The bytes of one read are processed before the next read. */
const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
const raw = new Uint8Array(piece.buffer);

/**
 * Returns a holder's socket that reads in place. Bytes in a `data` event are overwritten after the event, so a listener must copy
 * the bytes that it keeps. `make` creates the socket with these `onread` options; the socket begins to read immediately.
 */
export function readInPlace(make: (onread: OnReadOpts) => Socket): Socket {
  return listenInPlace(make, (count) => raw.subarray(0, count));
}

/**
 * The handle behind a Node socket. It is not a public interface of Node. This is acceptable because Node's version is
 * pinned, and a test would fail if it changed.
 */
interface Standing {
  _handle: object | null;
}

/**
 * Returns a provider's connection that reads in place from now on. The bytes of each piece are copied, because a
 * handler may keep them. `stream` must be new, from a message or a server, and must not have been read; it cannot be
 * used afterwards.
 */
export function readAnew(stream: Socket): Socket {
  const standing = stream as unknown as Standing;
  const handle = standing._handle ?? bug("a connection was given that has ended");
  standing._handle = null;
  return listenInPlace(
    (onread) => new Socket({ handle, onread } as { onread: OnReadOpts }),
    (count) => {
      const own = allocateShared(count);
      own.set(raw.subarray(0, count));
      return own;
    },
  );
}

/** Size of a block of memory that small messages share. A separate block for each message would be expensive to free. */
const SHARED_BYTES = 16 * 1024;
let pool = new Uint8Array(SHARED_BYTES);
let taken = 0;

function allocateShared(count: number): Uint8Array {
  if (count > SHARED_BYTES / 4) return new Uint8Array(count);
  if (taken + count > SHARED_BYTES) {
    pool = new Uint8Array(SHARED_BYTES);
    taken = 0;
  }
  const own = pool.subarray(taken, taken + count);
  taken += (count + 7) & ~7;
  return own;
}

function listenInPlace(make: (onread: OnReadOpts) => Socket, told: (count: number) => Uint8Array): Socket {
  const socket: Socket = make({
    buffer: piece,
    callback: (count) => socket.emit("data", told(count)) || bug("nobody listens to a connection"),
  });
  return socket;
}
