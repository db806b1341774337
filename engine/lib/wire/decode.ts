// The reader: turns untrusted bytes into a value of a layout, or the reason for a refusal. The reader never throws and reads no word
// twice. The reader follows at most 32 nested pointers, and refuses a list whose layout differs from the expected layout. Fields that
// the layout does not know are left out; unknown members of enums and unions are refused.

import { type Result, refuse } from "../result/result.ts";
import { structOf } from "./decode-struct.ts";
import type { StructLayout } from "./layout.ts";
import { FILE_LIMITS, type Limits } from "./limits.ts";
import { Reader } from "./reader.ts";

/** Reads a message without stream header. */
export function decode<T>(layout: StructLayout<T>, bytes: Uint8Array, limits: Limits = FILE_LIMITS): Result<T> {
  if (bytes.length > limits.bytes) return refuse(`${bytes.length} bytes are more than ${limits.bytes}`);
  if (bytes.length === 0 || bytes.length % 8 !== 0) return refuse(`${bytes.length} bytes are not a number of words`);
  const reader = new Reader(bytes, limits);
  const value = structOf(reader, 0, layout, 1);
  return reader.refused === undefined ? { ok: true, value: value as T } : refuse(reader.refused);
}

/** Reads a message of one segment with its stream header. */
export function decodeMessage<T>(layout: StructLayout<T>, bytes: Uint8Array, limits?: Limits): Result<T> {
  if (bytes.length < 8) return refuse(`${bytes.length} bytes are too few for a header`);
  const header = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const segments = header.getUint32(0, true) + 1;
  if (segments !== 1) return refuse(`the message has ${segments} segments; only one is taken`);
  const words = header.getUint32(4, true);
  if (words * 8 !== bytes.length - 8)
    return refuse(`the header claims ${words} words; ${bytes.length - 8} bytes follow`);
  return decode(layout, bytes.subarray(8), limits);
}
