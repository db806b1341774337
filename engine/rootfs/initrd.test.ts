import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { assembleInitrd } from "./initrd.ts";

const PREBUILT_FOLDER = join(fileURLToPath(new URL("..", import.meta.url)), "prebuilt");
const TRUST = Buffer.from("whom this machine trusts");

test("the initrd holds init, the modules in their order and the keys, and the same bytes each time", () => {
  const bytes = assembleInitrd(PREBUILT_FOLDER, TRUST);
  expect(assembleInitrd(PREBUILT_FOLDER, TRUST)).toEqual(bytes);
  const names = [
    ...gunzipSync(bytes)
      .toString("latin1")
      .matchAll(/070701[0-9a-f]{104}([\w./!-]+)\0/g),
  ].map(([, name]) => name);
  expect(names.slice(0, 6)).toEqual([
    "dev",
    "init",
    "modules",
    "modules/first",
    "modules/second",
    "modules/virtio_ring.ko",
  ]);
  expect(names.slice(-2)).toEqual(["trust.bin", "TRAILER!!!"]);
});

test("no time and no system is in the header of the compressed bytes", () => {
  const header = assembleInitrd(PREBUILT_FOLDER, TRUST).subarray(0, 10);
  expect([...header.subarray(4, 8), header[9]]).toEqual([0, 0, 0, 0, 255]);
});
