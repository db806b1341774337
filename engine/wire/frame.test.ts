import { expect, test } from "vitest";
import { FrameCutter } from "./frame.ts";

/** The header of a frame of one segment. */
function header(bytes: number): Uint8Array {
  const words = new Uint8Array(8);
  new DataView(words.buffer).setUint32(4, bytes / 8, true);
  return words;
}

test("a frame that comes in single bytes takes no more memory than twice its own", () => {
  const cutter = new FrameCutter();
  const take = () => expect.unreachable("the frame is not complete");
  const pieces = 300_000;
  expect(cutter.push(header(512 * 1024), take)).toBeUndefined();
  for (let sent = 0; sent < pieces; sent++) expect(cutter.push(new Uint8Array(1), take)).toBeUndefined();
  expect(cutter.capacity).toBeGreaterThanOrEqual(pieces);
  expect(cutter.capacity).toBeLessThanOrEqual(2 * (pieces + 8));
});
