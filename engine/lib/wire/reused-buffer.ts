// Reads a connection into one reused buffer. This saves work: Node's own streams allocate memory for each piece, queue the piece,
// and then check for more.

import { type OnReadOpts, Socket } from "node:net";
import { bug } from "../result/bug.ts";

/** Maximum number of bytes of one read. */
const PIECE_BYTES = 64 * 1024;

/**
 * Buffer into which all sockets of this process read, one after the other. The bytes of a read are used or copied
 * before the next read.
 */
const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
const raw = new Uint8Array(piece.buffer);

/**
 * Returns a holder's socket that reads into the shared buffer. It emits the bytes of each read as `data`. The next read
 * overwrites them, so a listener must copy the bytes that it keeps. `make` creates the socket with the given `onread`
 * options; the socket reads at once.
 */
export function readInPlace(make: (onread: OnReadOpts) => Socket): Socket {
  return listenInPlace(make, (count) => raw.subarray(0, count));
}

/**
 * The handle behind a Node socket. The handle is not a public interface. So Node's version is pinned, and a test fails
 * if a new version changes the handle.
 */
interface Standing {
  _handle: object | null;
}

/**
 * Returns a provider's connection that reads into the shared buffer from now on. The bytes of each read are copied to
 * separate memory, because a handler may keep them. Node must have just created `stream`, from a message or a server,
 * and no code may have read from it. Afterwards, only the returned connection can be used.
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

/**
 * Bytes of a block of memory that small messages share: collecting a separate block as garbage would cost more than the
 * message itself.
 */
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
