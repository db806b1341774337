// The holder's end of a connection, read into memory that is used again and again: Node's streams take new memory for each piece, keep
// it in a queue and look once more whether there is more.

import type { OnReadOpts, Socket } from "node:net";

/** As much as is read at once. */
const PIECE_BYTES = 64 * 1024;

/** Of all sockets of this process: what one of them has read is taken out before anything else happens. */
const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);

/**
 * A socket that is made to read so. Its bytes are told as `data` like any other's, and are others' once that was heard: who listens
 * copies what it keeps, as a holder does. `make`: with these options of `onread`; the socket is listened to at once.
 */
export function readInPlace(make: (onread: OnReadOpts) => Socket): Socket {
  const socket: Socket = make({
    buffer: piece,
    callback: (count) => {
      socket.emit("data", piece.subarray(0, count));
      return true;
    },
  });
  return socket;
}
