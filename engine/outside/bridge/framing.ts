// Defines how payloads are separated in a stream of bytes, which the protocol leaves open. Lines are for pipes and sockets. The kernel
// uses frames over its serial line (`serial/frame.go`): "DV", version, kind, length, payload, CRC-16. Noise between frames is
// skipped.

import { MOST_REQUEST_BYTES } from "./names.ts";

export interface Framing {
  /** Returns the requests that these bytes complete, in order. The rest of a request that is too long is skipped. */
  readonly take: (bytes: Uint8Array) => readonly (Uint8Array | "tooLong")[];
  /** Returns the request that the end of the stream completes: a last line needs no line end. */
  readonly end: () => readonly (Uint8Array | "tooLong")[];
  /** Returns whether a part of a request has been received. */
  readonly isUnfinished: () => boolean;
  /**
   * Returns the number of stored bytes that are not yet a complete request; it is at most the longest request and its
   * frame.
   */
  readonly heldBytes: () => number;
  /** Drops an unfinished request, which will never be finished. */
  readonly forget: () => void;
  readonly wrap: (response: Uint8Array) => Uint8Array;
}

const NEWLINE = 0x0a;

/** Returns a framing in which each line is a request. Blank lines do not count as requests. */
export function createLineFraming(): Framing {
  let held = Buffer.alloc(0);
  let isSkipping = false;
  const finishLine = (line: Buffer): readonly (Uint8Array | "tooLong")[] => {
    if (isSkipping) {
      isSkipping = false;
      return [];
    }
    if (line.length > MOST_REQUEST_BYTES) return ["tooLong"];
    return line.every((byte) => byte <= 0x20) ? [] : [line];
  };
  return {
    end: () => {
      const line = held;
      held = Buffer.alloc(0);
      return finishLine(line);
    },
    take: (bytes) => {
      const found: (Uint8Array | "tooLong")[] = [];
      held = Buffer.concat([held, bytes]);
      for (let end = held.indexOf(NEWLINE); end !== -1; end = held.indexOf(NEWLINE)) {
        found.push(...finishLine(held.subarray(0, end)));
        held = held.subarray(end + 1);
      }
      if (held.length > MOST_REQUEST_BYTES) {
        if (!isSkipping) found.push("tooLong");
        isSkipping = true;
        held = Buffer.alloc(0);
      }
      return found;
    },
    isUnfinished: () => held.length > 0 || isSkipping,
    heldBytes: () => held.length,
    forget: () => {
      held = Buffer.alloc(0);
      isSkipping = false;
    },
    wrap: (response) => Buffer.concat([response, Buffer.from([NEWLINE])]),
  };
}

const MAGIC = Buffer.from("DV");
const VERSION = 1;
const KIND = { request: 1, response: 2 } as const;
const HEADER_BYTES = 6;
const CHECKSUM_BYTES = 2;

export function createSerialFraming(): Framing {
  let held = Buffer.alloc(0);
  const takeNextFrame = (): Uint8Array | undefined | "more" => {
    for (;;) {
      const start = held.indexOf(MAGIC);
      // If the last byte is the first of the two bytes of `MAGIC`, keep it: the second one may still arrive.
      if (start === -1) held = held.subarray(held.at(-1) === MAGIC[0] ? -1 : held.length);
      else held = held.subarray(start);
      if (held.length < HEADER_BYTES) return "more";
      const length = held.readUInt16BE(4);
      const isRequest = held[2] === VERSION && held[3] === KIND.request && length <= MOST_REQUEST_BYTES;
      const whole = HEADER_BYTES + length + CHECKSUM_BYTES;
      if (isRequest && held.length < whole) return "more";
      const isIntact = isRequest && computeChecksum(held.subarray(2, whole - 2)) === held.readUInt16BE(whole - 2);
      const payload = held.subarray(HEADER_BYTES, HEADER_BYTES + length);
      held = held.subarray(isIntact ? whole : MAGIC.length);
      if (isIntact) return payload;
    }
  };
  return {
    // A frame that the end of the stream truncates has no checksum.
    end: () => [],
    take: (bytes) => {
      held = Buffer.concat([held, bytes]);
      const found: Uint8Array[] = [];
      for (let payload = takeNextFrame(); payload instanceof Uint8Array; payload = takeNextFrame()) found.push(payload);
      return found;
    },
    isUnfinished: () => held.length > 0,
    heldBytes: () => held.length,
    forget: () => {
      held = Buffer.alloc(0);
    },
    wrap: (response) => encodeFrame(KIND.response, response),
  };
}

/** Returns the bytes of a frame; the caller ensures that `payload` fits the kind of the frame. */
export function encodeFrame(kind: (typeof KIND)[keyof typeof KIND], payload: Uint8Array): Uint8Array {
  const head = Buffer.from([VERSION, kind, payload.length >> 8, payload.length & 0xff]);
  const sum = computeChecksum(Buffer.concat([head, payload]));
  return Buffer.concat([MAGIC, head, payload, Buffer.from([sum >> 8, sum & 0xff])]);
}

/**
 * Table of the CRC of each single byte. Noise may look like the start of a frame again and again, so computing the CRC bit by bit would be
 * slow.
 */
const REMAINDERS = Uint16Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) sum = (sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0);
  return sum;
});

/** Returns the CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF. */
export function computeChecksum(bytes: Uint8Array): number {
  let sum = 0xffff;
  for (const byte of bytes) sum = ((sum << 8) & 0xffff) ^ (REMAINDERS[(sum >> 8) ^ byte] ?? 0);
  return sum;
}
