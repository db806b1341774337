// Tests the choice of the accelerator, with programs in place of QEMU that end like a trial guest.

import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chooseAccelerator } from "./accelerator.ts";

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "capc-accelerator-"));
});
afterEach(() => rmSync(place, { recursive: true }));

/** Makes a program in place of QEMU: it records its arguments and ends with `status`. */
function qemu(status: number): string {
  const path = join(place, `qemu-${status}`);
  writeFileSync(path, `#!/bin/sh\necho "$*" >> ${join(place, "starts")}\nexit ${status}\n`, { mode: 0o755 });
  return path;
}

function starts(): string[] {
  const file = join(place, "starts");
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

const device = (): string => {
  const path = join(place, "kvm");
  writeFileSync(path, "");
  return path;
};

test("without /dev/kvm, TCG is used, and no trial guest is started", () => {
  expect(chooseAccelerator(qemu(33), undefined, join(place, "none"))).toEqual({
    name: "tcg",
    because: expect.stringContaining("there is no"),
  });
  expect(starts()).toEqual([]);
});

test("KVM is used if the trial guest succeeds under it", () => {
  expect(chooseAccelerator(qemu(33), undefined, device())).toEqual({ name: "kvm" });
  expect(starts()).toEqual([expect.stringContaining("-accel kvm")]);
});

test.each([0, 1, 35])("a trial guest with exit status %i counts as failed", (status) => {
  expect(chooseAccelerator(qemu(status), undefined, device())).toMatchObject({ name: "tcg" });
});

test("the result of the trial guest is cached for this QEMU", () => {
  const cache = join(place, "cache");
  const program = qemu(1);
  const kvm = device();
  for (let count = 0; count < 3; count++) expect(chooseAccelerator(program, cache, kvm).name).toBe("tcg");
  expect(starts()).toHaveLength(1);
  utimesSync(program, 1000, 1000);
  chooseAccelerator(program, cache, kvm);
  expect(starts()).toHaveLength(2);
});

test("if the cache is invalid or cannot be written, a trial guest is started again", () => {
  const cache = join(place, "cache");
  writeFileSync(cache, "works\nworks\nworks");
  expect(chooseAccelerator(qemu(1), cache, device()).name).toBe("tcg");
  expect(chooseAccelerator(qemu(33), join(place, "no/such/folder/cache"), device())).toEqual({ name: "kvm" });
});
