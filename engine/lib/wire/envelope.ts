// Encodes and decodes calls and answers without the general writer and reader, because nearly all frames have one form, the canonical
// one. The bytes of the content are written and read in place, without a copy. Frames of another form are read by the general reader.

import { accept, type Result, refuse } from "../result/result.ts";
import { parseText, readLooseText } from "./decode-pointer.ts";
import { putRoot } from "./encode.ts";
import { putText } from "./encode-pointer.ts";
import type { Frame, Payload } from "./generated/wire.ts";
import type { StructLayout } from "./layout.ts";
import { FRAME_LIMITS } from "./limits.ts";
import { Reader } from "./reader.ts";
import { ELEMENTS, Writer } from "./writer.ts";

export const HEADER_BYTES = 8;

/** Content of a call or an answer: a payload, or a value that becomes one. */
export type EnvelopeContent = Payload | TypedValue;

interface TypedValue {
  readonly which: "value";
  readonly layout: StructLayout<unknown>;
  readonly value: unknown;
}

/** Union tags of Frame and Payload, as wire.capnp numbers them. */
const CALL = 0;
const ANSWER = 1;
const FAILURE = 2;
const EMPTY = 0;
const JSON_TEXT = 1;
const MESSAGE = 2;

/** Returns the bytes of a call. Fails if the bytes are too long to send; throws if the layout cannot hold a value. */
export function callBytes(
  callId: bigint,
  interfaceId: bigint,
  method: number,
  carried: EnvelopeContent,
): Result<Uint8Array> {
  return encodeFrame({ callId, interfaceId, method, tag: CALL }, carried);
}

/** Returns the bytes of an answer. Fails if the bytes are too long to send; throws if the layout cannot hold a value. */
export function answerBytes(callId: bigint, carried: EnvelopeContent): Result<Uint8Array> {
  return encodeFrame({ callId, interfaceId: 0n, method: 0, tag: ANSWER }, carried);
}

/** The fields of a frame besides its content; `tag` distinguishes a call from an answer. */
interface FrameFacts {
  readonly callId: bigint;
  readonly interfaceId: bigint;
  readonly method: number;
  readonly tag: number;
}

function encodeFrame({ callId, interfaceId, method, tag }: FrameFacts, carried: EnvelopeContent): Result<Uint8Array> {
  const writer = Writer.takeShared();
  writer.allocate(1);
  const root = writer.allocate(1);
  const last = method | (tag << 16);
  const dataWords = last !== 0 ? 3 : interfaceId !== 0n ? 2 : callId !== 0n ? 1 : 0;
  const pointers = carried.which === "empty" ? 0 : 1;
  const data = writer.allocate(dataWords + pointers);
  if (dataWords > 0) writer.view.setBigUint64(data, callId, true);
  if (dataWords > 1) writer.view.setBigUint64(data + 8, interfaceId, true);
  if (dataWords > 2) writer.view.setUint32(data + 16, last, true);
  if (dataWords + pointers > 0) writer.writeStructPointer(root, data, dataWords, pointers);
  else writer.writeStructPointer(root, root, 0, 0);
  if (carried.which !== "empty") putCarried(writer, data + dataWords * 8, carried);
  const { end } = writer;
  writer.view.setUint32(4, (end - HEADER_BYTES) / 8, true);
  const limit = FRAME_LIMITS.bytes + HEADER_BYTES;
  const bytes = writer.takeForSending();
  return end <= limit ? accept(bytes) : refuse(`${end} bytes do not fit into a frame of ${limit}`);
}

function putCarried(writer: Writer, at: number, carried: Exclude<EnvelopeContent, { readonly which: "empty" }>): void {
  const tag = carried.which === "json" ? JSON_TEXT : MESSAGE;
  const isNothing =
    (carried.which === "json" && carried.json === "") || (carried.which === "message" && carried.message.length === 0);
  const data = writer.allocate(isNothing ? 1 : 2);
  writer.writeStructPointer(at, data, 1, isNothing ? 0 : 1);
  writer.view.setUint16(data, tag, true);
  if (isNothing) return;
  if (carried.which === "json") putText(writer, data + 8, carried.json, "Payload.json");
  else putMessage(writer, data + 8, carried);
}

function putMessage(writer: Writer, at: number, carried: TypedValue | (Payload & { readonly which: "message" })): void {
  const begin = writer.end;
  if (carried.which === "value") {
    putRoot(writer, carried.layout, carried.value);
  } else {
    const { message } = carried;
    writer.allocate((message.length + 7) >>> 3);
    writer.bytes.set(message, begin);
  }
  const length = carried.which === "value" ? writer.end - begin : carried.message.length;
  writer.listPointer(at, begin, ELEMENTS.byte, length);
}

/** Low half of a pointer to the word directly after the pointer. */
const TO_STRUCT = 0;
const TO_LIST = 1;
/** The high half of the pointer to a payload, which has one word and one pointer. */
const ONE_AND_ONE = 1 | (1 << 16);

/**
 * Returns the call or answer if the whole frame, with its header, has the form that this module writes; otherwise `undefined`. A message
 * is not copied.
 */
export function readQuickFrame(bytes: Uint8Array, view: DataView, begin: number, end: number): Frame | undefined {
  if (end - begin < 56 || view.getInt32(begin + 8, true) !== TO_STRUCT || view.getUint16(begin + 14, true) !== 1)
    return undefined;
  const dataWords = view.getUint16(begin + 12, true);
  if (dataWords !== 2 && dataWords !== 3) return undefined;
  const payload = readQuickPayload(bytes, view, begin + 16 + dataWords * 8, end);
  if (payload === undefined) return undefined;
  const callId = view.getBigUint64(begin + 16, true);
  const tag = dataWords === 3 ? view.getUint16(begin + 34, true) : CALL;
  if (tag === ANSWER) return { callId, which: "answer", answer: { payload } };
  if (tag !== CALL) return undefined;
  const method = dataWords === 3 ? view.getUint16(begin + 32, true) : 0;
  return { callId, which: "call", call: { interfaceId: view.getBigUint64(begin + 24, true), method, payload } };
}

/** Returns the payload behind the pointer at a byte if it is a text or a message and not empty; otherwise `undefined`. */
function readQuickPayload(bytes: Uint8Array, view: DataView, at: number, end: number): Payload | undefined {
  if (end < at + 24) return undefined;
  if (view.getInt32(at, true) !== TO_STRUCT || view.getInt32(at + 4, true) !== ONE_AND_ONE) return undefined;
  const tag = view.getUint16(at + 8, true);
  const high = view.getUint32(at + 20, true);
  const begin = at + 24;
  const length = high >>> 3;
  const isThere = view.getInt32(at + 16, true) === TO_LIST && (high & 7) === ELEMENTS.byte && length > 0;
  if (!isThere || begin + length > end || tag === EMPTY) return undefined;
  if (tag === MESSAGE) return { which: "message", message: bytes.subarray(begin, begin + length) };
  const json = tag === JSON_TEXT ? parseText(bytes, begin, begin + length) : undefined;
  return json === undefined ? undefined : { which: "json", json };
}

/** The readable parts of a frame whose content cannot be read. */
export interface PartialFrame {
  /** ID of the call that the frame names. */
  readonly callId: bigint;
  /** `undefined` if the frame is neither an answer nor a failure. */
  readonly which: "answer" | "failure" | undefined;
  /**
   * The JSON of an answer or the reason of a failure, with U+FFFD for bytes that are not UTF-8; empty if this text
   * cannot be located.
   */
  readonly text: string;
}

/**
 * Returns the readable parts of a frame that the general reader refuses; `undefined` if the frame does not even name a
 * call. `message` is the frame without its header.
 */
export function readRemains(message: Uint8Array): PartialFrame | undefined {
  if (message.length === 0) return undefined;
  const reader = new Reader(message, FRAME_LIMITS);
  const root = reader.struct(0, 1);
  if (root === undefined || root.dataWords === 0) return undefined;
  const callId = reader.view.getBigUint64(root.data, true);
  const tag = root.dataWords < 3 ? CALL : reader.view.getUint16(root.data + 18, true);
  if (tag === FAILURE) {
    return { callId, which: "failure", text: root.pointerCount === 0 ? "" : readLooseText(reader, root.pointers, 2) };
  }
  if (tag !== ANSWER) return { callId, which: undefined, text: "" };
  const payload = root.pointerCount === 0 ? undefined : reader.struct(root.pointers, 2);
  const isJson =
    payload !== undefined &&
    payload.dataWords > 0 &&
    payload.pointerCount > 0 &&
    reader.view.getUint16(payload.data, true) === JSON_TEXT;
  return { callId, which: "answer", text: isJson ? readLooseText(reader, payload.pointers, 3) : "" };
}
