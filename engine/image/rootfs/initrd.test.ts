import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { assembleInitrd, type InitrdPlan } from "./initrd.ts";

const PREBUILT_FOLDER = join(fileURLToPath(new URL("../..", import.meta.url)), "prebuilt");
const PLAN: InitrdPlan = {
  prebuilt: PREBUILT_FOLDER,
  machine: "vm",
  encrypted: false,
  networked: false,
  screen: false,
  trust: Buffer.from("whom this machine trusts"),
};

function namesIn(bytes: Buffer): (string | undefined)[] {
  const headers = gunzipSync(bytes)
    .toString("latin1")
    .matchAll(/070701[0-9a-f]{104}([\w./!-]+)\0/g);
  return [...headers].map(([, name]) => name);
}

test("the initrd contains init, lists and files of kernel modules, and the trusted keys; equal plans give equal bytes", () => {
  const bytes = assembleInitrd(PLAN);
  expect(assembleInitrd(PLAN)).toEqual(bytes);
  const names = namesIn(bytes);
  expect(names.slice(0, 7)).toEqual([
    "dev",
    "init",
    "modules",
    "modules/first",
    "modules/second",
    "modules/sha",
    "modules/virtio_ring.ko",
  ]);
  expect(names.slice(-2)).toEqual(["trust.bin", "TRAILER!!!"]);
  expect(new Set(names).size).toBe(names.length);
});

test("the initrd contains drivers for a PC, an encrypted disk, a screen or a network only if the plan needs them", () => {
  const has = (plan: Partial<InitrdPlan>, name: string): boolean =>
    namesIn(assembleInitrd({ ...PLAN, ...plan })).includes(`modules/${name}`);
  expect([has({}, "ahci.ko"), has({ machine: "pc" }, "ahci.ko")]).toEqual([false, true]);
  for (const name of ["crypt", "dm-crypt.ko"])
    expect([has({}, name), has({ encrypted: true }, name)]).toEqual([false, true]);
  for (const name of ["keys", "usbhid.ko"])
    expect([has({ machine: "pc" }, name), has({ machine: "pc", screen: true }, name)]).toEqual([false, true]);
  for (const name of ["net", "virtio_net.ko"])
    expect([has({}, name), has({ networked: true }, name)]).toEqual([false, true]);
});

test("the gzip header of the initrd has no time and no operating system", () => {
  const header = assembleInitrd(PLAN).subarray(0, 10);
  expect([...header.subarray(4, 8), header[9]]).toEqual([0, 0, 0, 0, 255]);
});
