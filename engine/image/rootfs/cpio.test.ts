import { expect, test } from "vitest";
import { encodeArchive } from "./cpio.ts";

/** Reads an archive as the kernel does: header, name and contents, each padded to a multiple of four bytes. */
function unpack(bytes: Buffer): { path: string; mode: string; text: string }[] {
  const found = [];
  for (let at = 0; ; ) {
    const number = (index: number): number =>
      Number.parseInt(bytes.toString("latin1", at + 6 + index * 8, at + 14 + index * 8), 16);
    expect(bytes.toString("latin1", at, at + 6)).toBe("070701");
    const path = bytes.toString("utf8", at + 110, at + 109 + number(11));
    const start = (at + 110 + number(11) + 3) & ~3;
    if (path === "TRAILER!!!") return found;
    found.push({ path, mode: number(1).toString(8), text: bytes.toString("utf8", start, start + number(6)) });
    at = (start + number(6) + 3) & ~3;
  }
}

const entries = [
  { path: "modules", mode: 0o755 },
  { path: "modules/a.ko", mode: 0o644, bytes: Buffer.from("x") },
  { path: "init", mode: 0o755, bytes: Buffer.from("12345") },
];

test("unpacking an archive returns its entries in order", () => {
  expect(unpack(encodeArchive(entries))).toEqual([
    { path: "modules", mode: "40755", text: "" },
    { path: "modules/a.ko", mode: "100644", text: "x" },
    { path: "init", mode: "100755", text: "12345" },
  ]);
});

test("the same entries give the same bytes, without a time, owner or device of this machine", () => {
  const bytes = encodeArchive(entries);
  expect(encodeArchive(entries)).toEqual(bytes);
  const [uid, gid, links, time] = [2, 3, 4, 5].map((index) => bytes.toString("latin1", 6 + index * 8, 14 + index * 8));
  expect([uid, gid, links, time]).toEqual(["00000000", "00000000", "00000002", "00000000"]);
});
