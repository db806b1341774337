// The writer: encodes a value in the canonical form of Cap'n Proto, by its layout. Canonical means one segment, with objects in the order
// of their pointers and without gaps, and sections without zeros at their end. A value that is all default is a null pointer, so that one
// value has one form. A value that does not fit its layout is a defect of the caller, and throws: text from outside must be well-formed
// before.

import { putStructOf } from "./encode-struct.ts";
import type { StructLayout } from "./layout.ts";
import { Writer } from "./writer.ts";

/** The canonical form of a value, without a stream header. */
export function encode<T>(layout: StructLayout<T>, value: T): Uint8Array {
  const writer = Writer.takeShared();
  putRoot(writer, layout, value);
  return writer.finish();
}

/** The canonical form behind the stream header of one segment: what stands in files and on connections. */
export function encodeMessage<T>(layout: StructLayout<T>, value: T): Uint8Array {
  const writer = Writer.takeShared();
  writer.allocate(1);
  putRoot(writer, layout, value);
  writer.view.setUint32(4, (writer.end - 8) / 8, true);
  return writer.finish();
}

/** Writes the root pointer and everything behind it at the end of the buffer; a message may stand inside another one. */
export function putRoot(writer: Writer, layout: StructLayout<unknown>, value: unknown): void {
  const root = writer.allocate(1);
  const before = writer.end;
  putStructOf(writer, root, layout, value, 1);
  // The root is never null: an empty struct has a pointer of its own kind, which leads to itself.
  if (writer.end === before) writer.writeStructPointer(root, root, 0, 0);
}
