import fc from "fast-check";
import { expect, test } from "vitest";
import { LIMINE_FILES } from "../../../targets/contract/upstream-plan.ts";
import { createDiscStart, createStandIns } from "../../dev/fixtures/boot/stand-ins.ts";
import { findLimineFault, getLimineVersion } from "./limine.ts";

test("the files of one Limine release match, and state its version", () => {
  expect(findLimineFault(createStandIns())).toBeUndefined();
  expect(getLimineVersion(createStandIns())).toBe("8.2.0");
});

test("a Limine release without a version or a build number is accepted", () => {
  const silent = {
    ...createStandIns({ version: "none" }),
    "limine-bios-cd.bin": createDiscStart(Buffer.from("no note")),
  };
  expect(findLimineFault(silent)).toBeUndefined();
  expect(getLimineVersion(silent)).toBe("");
  const unpacked = Buffer.alloc(2048, 0xeb);
  expect(findLimineFault({ ...createStandIns(), "limine-bios-cd.bin": unpacked })).toBeUndefined();
});

test.each([
  ["BOOTX64.EFI", "is not a UEFI program for x86-64"],
  ["limine-bios-cd.bin", "is not a program that BIOS starts"],
  ["limine-uefi-cd.bin", "is not a file system"],
] as const)("an invalid %s is refused", (name, reason) => {
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(2048), Buffer.from("MZ".repeat(40)), Buffer.alloc(2047, 0xeb)])
    expect(findLimineFault({ ...createStandIns(), [name]: bytes })).toBe(`${name} ${reason}`);
});

test("a UEFI program for another processor is refused, and so is an empty second part of the loader for BIOS", () => {
  const arm = Buffer.from(createStandIns()["BOOTX64.EFI"]);
  arm.writeUInt16LE(0xaa64, 132);
  expect(findLimineFault({ ...createStandIns(), "BOOTX64.EFI": arm })).toBe(
    "BOOTX64.EFI is not a UEFI program for x86-64",
  );
  expect(findLimineFault({ ...createStandIns(), "limine-bios.sys": Buffer.alloc(0) })).toBe("limine-bios.sys is empty");
});

test("a Limine release that reads a settings file of another name is refused", () => {
  const reason = "it is Limine 7.13.3, which reads no limine.conf; that began with 8";
  expect(findLimineFault(createStandIns({ version: "7.13.3" }))).toBe(reason);
  expect(findLimineFault(createStandIns({ version: "8.0.0" }))).toBeUndefined();
  expect(findLimineFault(createStandIns({ version: "12.10.0" }))).toBeUndefined();
});

test("Limine files of two releases or of two builds are refused, because Limine for BIOS would stop", () => {
  const { "limine-uefi-cd.bin": older } = createStandIns({ version: "8.1.2" });
  expect(findLimineFault({ ...createStandIns(), "limine-uefi-cd.bin": older })).toBe(
    "BOOTX64.EFI is of Limine 8.2.0, and limine-uefi-cd.bin of 8.1.2",
  );
  const { "limine-bios.sys": another } = createStandIns({ build: Buffer.alloc(20, 8) });
  expect(findLimineFault({ ...createStandIns(), "limine-bios.sys": another })).toBe(
    "limine-bios-cd.bin and limine-bios.sys are of different builds",
  );
});

test("a compressed file is decompressed only up to a limit", () => {
  const bomb = createDiscStart(Buffer.alloc(8 * 1024 * 1024));
  expect(findLimineFault({ ...createStandIns(), "limine-bios-cd.bin": bomb })).toBeUndefined();
});

test("checking any bytes throws no exception", () => {
  const files = fc.record(Object.fromEntries(LIMINE_FILES.map((name) => [name, fc.uint8Array({ maxLength: 4096 })])));
  fc.assert(
    fc.property(files, (bytes) => {
      expect(["string", "undefined"]).toContain(typeof findLimineFault({ ...createStandIns(), ...bytes }));
    }),
  );
});
