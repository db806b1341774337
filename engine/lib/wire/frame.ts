// Splits the stream of a connection into frames, and encodes frames.

import { accept, type Result, refuse } from "../result/result.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { type EnvelopeContent, HEADER_BYTES, type PartialFrame, readQuickFrame, readRemains } from "./envelope.ts";
import { type FailureCode, Frame } from "./generated/wire.ts";
import { FRAME_LIMITS } from "./limits.ts";

/**
 * Maximum number of calls in flight on one connection. A holder waits before it sends more, and a provider disconnects
 * a peer that sends more.
 */
export const MAX_IN_FLIGHT = 8;

/** Initial capacity in bytes; most frames fit. */
const FIRST_CAPACITY = 4096;

/**
 * Cuts a stream of bytes into frames. It holds at most one incomplete frame, and no frame above the limit. It uses at
 * most twice the frame's size of memory, however small the pieces of the frame are.
 */
export class FrameCutter {
  #held = new Uint8Array(FIRST_CAPACITY);
  #length = 0;

  /** Bytes reserved for an incomplete frame. */
  get capacity(): number {
    return this.#held.length;
  }

  /** Returns whether a frame has begun and is incomplete. */
  get isWaiting(): boolean {
    return this.#length > 0;
  }

  /**
   * Passes each complete frame to `take`. An unreadable frame that names its call is passed to `spoiled`; if `spoiled`
   * is absent, it is a fault. Returns the fault of the stream, or `undefined`.
   */
  push(chunk: Uint8Array, take: (frame: Frame) => void, spoiled?: MalformedFrameHandler): string | undefined {
    if (this.#length > 0) return this.#pushHeld(chunk, take, spoiled);
    // Complete frames are read in place. A provider owns the bytes of the chunk; a holder's buffer is reused after it has read the answer.
    const view = makeView(chunk);
    let at = 0;
    while (chunk.length - at >= HEADER_BYTES) {
      const length = readClaimedLength(view, at);
      if (!length.ok) return length.reason;
      if (chunk.length - at < length.value) break;
      const frame = decodeFrame(chunk, view, at, length.value);
      if (frame.which === "spoiled" && !isTaken(frame, spoiled)) return frame.reason;
      at += length.value;
      if (frame.which !== "spoiled") take(frame);
    }
    if (at < chunk.length) this.#append(chunk.subarray(at));
    return undefined;
  }

  #pushHeld(chunk: Uint8Array, take: (frame: Frame) => void, spoiled?: MalformedFrameHandler): string | undefined {
    this.#append(chunk);
    while (this.#length >= HEADER_BYTES) {
      const length = readClaimedLength(makeView(this.#held), 0);
      if (!length.ok) return length.reason;
      if (this.#length < length.value) return undefined;
      // The bytes are copied, because a decoded frame refers to them, and they must not change when more bytes arrive.
      const own = this.#held.slice(0, length.value);
      const frame = decodeFrame(own, makeView(own), 0, length.value);
      if (frame.which === "spoiled" && !isTaken(frame, spoiled)) return frame.reason;
      this.#drop(length.value);
      if (frame.which !== "spoiled") take(frame);
    }
    return undefined;
  }

  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    if (length > this.#held.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#held.length));
      grown.set(this.#held.subarray(0, this.#length));
      this.#held = grown;
    }
    this.#held.set(chunk, this.#length);
    this.#length = length;
  }

  #drop(bytes: number): void {
    this.#held.copyWithin(0, bytes, this.#length);
    this.#length -= bytes;
    if (this.#length === 0 && this.#held.length > FIRST_CAPACITY) this.#held = new Uint8Array(FIRST_CAPACITY);
  }
}

function makeView({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Returns the length in bytes of the frame that begins at a byte, including its header. Fails if it claims more than the limit. */
function readClaimedLength(view: DataView, at: number): Result<number> {
  if (view.getUint32(at, true) !== 0) return refuse("a frame has more than one segment");
  const words = view.getUint32(at + 4, true);
  return words * 8 <= FRAME_LIMITS.bytes
    ? accept(HEADER_BYTES + words * 8)
    : refuse(`a frame claims ${words * 8} bytes`);
}

/** A frame of valid length whose content cannot be read. `remains` is absent if the frame does not even name a call. */
interface Spoiled {
  readonly which: "spoiled";
  readonly remains: PartialFrame | undefined;
  readonly reason: string;
}

/** Receives the readable parts of a malformed frame, and the reason. */
export type MalformedFrameHandler = (remains: PartialFrame, reason: string) => void;

function isTaken({ remains, reason }: Spoiled, spoiled: MalformedFrameHandler | undefined): boolean {
  if (remains === undefined || spoiled === undefined) return false;
  spoiled(remains, reason);
  return true;
}

/** Returns the frame in these bytes, or the fault in them. */
function decodeFrame(bytes: Uint8Array, view: DataView, at: number, length: number): Frame | Spoiled {
  const quick = readQuickFrame(bytes, view, at, at + length);
  if (quick !== undefined) return quick;
  const message = bytes.subarray(at, at + length);
  const frame = decodeMessage(Frame, message, FRAME_LIMITS);
  if (frame.ok) return frame.value;
  return { which: "spoiled", remains: readRemains(message.subarray(HEADER_BYTES)), reason: frame.reason };
}

/** Returns the bytes of a frame. Fails if it exceeds the size limit. */
export function encodeFrameBytes(frame: Frame): Result<Uint8Array> {
  const bytes = encodeMessage(Frame, frame);
  if (bytes.length <= FRAME_LIMITS.bytes + HEADER_BYTES) return accept(bytes);
  return refuse(`${bytes.length} bytes do not fit into a frame of ${FRAME_LIMITS.bytes + HEADER_BYTES}`);
}

/** The failure of a call. It is a class, so that it can be distinguished from any result of a handler. */
export class Failure {
  readonly ok = false;
  readonly code: FailureCode;
  readonly reason: string;

  constructor(code: FailureCode, reason: string) {
    this.code = code;
    this.reason = reason;
  }
}

/**
 * Maximum length of a reason, which people and the audit log receive. Longer reasons are cut, so that a failure always
 * fits into a frame.
 */
const MAX_REASON_LENGTH = 2000;
/** Maximum length of a tool's text about its failure. The model reads this text, so the limit is as high as for results. */
export const MAX_TOOL_WORDS_LENGTH = 64 * 1024;

/** Characters reserved for the note that says how much is missing. */
const NOTE_LENGTH = 32;

/** Returns a failure with a reason of at most `most` characters; a cut reason says how much of it is missing. */
export function makeFailure(code: FailureCode, reason: string, most = MAX_REASON_LENGTH): Failure {
  if (reason.length <= most) return new Failure(code, reason.toWellFormed());
  const kept = most - NOTE_LENGTH;
  return new Failure(code, `${reason.slice(0, kept).toWellFormed()} [cut: ${reason.length - kept} more]`);
}

/** A provider's answer to a call. */
export type Answer = { readonly ok: true; readonly payload: EnvelopeContent } | Failure;

/**
 * Reason why a connection ended. `fault` means that the peer broke a rule and was disconnected, which must be recorded
 * in the audit log.
 */
export interface ConnectionEnd {
  readonly fault: boolean;
  readonly reason: string;
}
