// The writer: encodes a value by its layout in the canonical form of Cap'n Proto. Canonical means one segment, objects
// in the order of their pointers and without gaps, and sections without zeros at their end. A struct in which all
// values are defaults is written as a null pointer, so that each value has one form. The writer throws for a value that
// does not fit its layout, because the caller has a defect. Callers must refuse external text with half a surrogate
// pair, because the writer would throw.

import { putStructOf } from "./encode-struct.ts";
import type { StructLayout } from "./layout.ts";
import { Writer } from "./writer.ts";

/** Returns the canonical form of a value, without a stream header. */
export function encode<T>(layout: StructLayout<T>, value: T): Uint8Array {
  const writer = Writer.takeShared();
  putRoot(writer, layout, value);
  return writer.finish();
}

/** Returns the canonical form with the stream header of one segment, as in files and on connections. */
export function encodeMessage<T>(layout: StructLayout<T>, value: T): Uint8Array {
  const writer = Writer.takeShared();
  writer.allocate(1);
  putRoot(writer, layout, value);
  writer.view.setUint32(4, (writer.end - 8) / 8, true);
  return writer.finish();
}

/**
 * Writes the root pointer and everything behind it at the end of the buffer. The buffer may already contain a part of
 * another message, so that one message can be written inside another.
 */
export function putRoot(writer: Writer, layout: StructLayout<unknown>, value: unknown): void {
  const root = writer.allocate(1);
  const before = writer.end;
  putStructOf(writer, root, layout, value, 1);
  // The root is never null: an empty struct has a special pointer, which leads to itself.
  if (writer.end === before) writer.writeStructPointer(root, root, 0, 0);
}
