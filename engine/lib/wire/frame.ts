// Frames on a connection: cuts a stream into frames, and writes a frame as bytes.

import { accept, type Result, refuse } from "../result/result.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { type EnvelopeContent, HEADER_BYTES, type PartialFrame, readQuickFrame, readRemains } from "./envelope.ts";
import { type FailureCode, Frame } from "./generated/wire.ts";
import { FRAME_LIMITS } from "./limits.ts";

/**
 * Maximum calls in flight on one connection: a holder lets further calls wait, and a provider disconnects a peer that
 * sends more.
 */
export const MAX_IN_FLIGHT = 8;

/** Initial capacity in bytes, which is enough for most frames. */
const FIRST_CAPACITY = 4096;

/**
 * Cuts a stream of bytes into frames. The cutter holds at most one incomplete frame, and no frame above the limit. However small the
 * pieces of a frame are, the cutter takes at most twice the frame's bytes of memory.
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
   * Passes each complete frame to `take`. Passes each frame that cannot be read, but names its call, to `spoiled`. Returns the fault of
   * the stream, or `undefined` if it has none; without `spoiled` an unreadable frame is a fault.
   */
  push(chunk: Uint8Array, take: (frame: Frame) => void, spoiled?: MalformedFrameHandler): string | undefined {
    if (this.#length > 0) return this.#pushHeld(chunk, take, spoiled);
    // Whole frames are read in place, without a copy. A provider passes a copy as `chunk`. A holder passes a part of a
    // buffer that is reused, and reads each answer before this part is overwritten.
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
      // Copy, because a decoded frame refers to bytes that must not change when the next ones arrive.
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

/** Returns the length in bytes of the frame that begins at a byte, including its header. Fails if the header states more than the limit. */
function readClaimedLength(view: DataView, at: number): Result<number> {
  if (view.getUint32(at, true) !== 0) return refuse("a frame has more than one segment");
  const words = view.getUint32(at + 4, true);
  return words * 8 <= FRAME_LIMITS.bytes
    ? accept(HEADER_BYTES + words * 8)
    : refuse(`a frame claims ${words * 8} bytes`);
}

/**
 * A frame whose bounds are valid but whose content cannot be read. `remains` is absent if the frame does not even name
 * a call.
 */
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

/** Returns the frame in these bytes, or why it cannot be read. */
function decodeFrame(bytes: Uint8Array, view: DataView, at: number, length: number): Frame | Spoiled {
  const quick = readQuickFrame(bytes, view, at, at + length);
  if (quick !== undefined) return quick;
  const message = bytes.subarray(at, at + length);
  const frame = decodeMessage(Frame, message, FRAME_LIMITS);
  if (frame.ok) return frame.value;
  return { which: "spoiled", remains: readRemains(message.subarray(HEADER_BYTES)), reason: frame.reason };
}

/** Returns the bytes of a frame. Fails if the frame is longer than a connection accepts. */
export function encodeFrameBytes(frame: Frame): Result<Uint8Array> {
  const bytes = encodeMessage(Frame, frame);
  if (bytes.length <= FRAME_LIMITS.bytes + HEADER_BYTES) return accept(bytes);
  return refuse(`${bytes.length} bytes do not fit into a frame of ${FRAME_LIMITS.bytes + HEADER_BYTES}`);
}

/** The failure of a call. `Failure` is a class, so that it differs from any result that a handler returns. */
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
 * Maximum characters of a reason, which is for people and for the audit. Long reasons are cut, so that a failure always
 * fits into a frame.
 */
const MAX_REASON_LENGTH = 2000;
/** Maximum characters of a tool's text about its failure: a model reads as much of this text as of a result. */
export const MAX_TOOL_WORDS_LENGTH = 64 * 1024;

/** Characters reserved for the note that states how much text is missing. */
const NOTE_LENGTH = 32;

/**
 * Returns a failure with a reason of at most `most` characters; a reason that is cut states how much of it is missing.
 */
export function makeFailure(code: FailureCode, reason: string, most = MAX_REASON_LENGTH): Failure {
  if (reason.length <= most) return new Failure(code, reason.toWellFormed());
  const kept = most - NOTE_LENGTH;
  return new Failure(code, `${reason.slice(0, kept).toWellFormed()} [cut: ${reason.length - kept} more]`);
}

/** A provider's answer to a call. */
export type Answer = { readonly ok: true; readonly payload: EnvelopeContent } | Failure;

/** Reason why a connection ended. `fault`: the peer broke a rule and was disconnected, which the audit must record. */
export interface ConnectionEnd {
  readonly fault: boolean;
  readonly reason: string;
}
