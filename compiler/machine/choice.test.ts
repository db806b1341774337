import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { chooseMachine } from "./choice.ts";
import { findFirmware } from "./firmware.ts";
import { buildQemuArguments, type MediumDevice } from "./qemu.ts";

const CLOUD = { bios: true, uefi: true, kernel: "6.1.0-56-cloud-amd64" };
const NOTHING = { firmware: undefined, device: undefined };

test("by default, BIOS starts an image from a virtual disk", () => {
  const wanted = { ok: true, firmware: { kind: "bios" }, device: "virtio" };
  expect(chooseMachine(NOTHING, CLOUD)).toEqual(wanted);
  expect(chooseMachine(NOTHING, undefined)).toEqual(wanted);
});

test.each([
  ["bios", { ...CLOUD, bios: false }],
  ["uefi", { ...CLOUD, uefi: false }],
])("the firmware %s is refused if the image does not support it", (firmware, starts) => {
  const choice = chooseMachine({ ...NOTHING, firmware }, starts);
  expect(choice).toMatchObject({ ok: false, status: 2, reason: expect.stringContaining(`by ${firmware}`) });
});

test.each(["ahci-cd", "usb"])(
  "the device %s works only with the PC kernel, and is refused for the cloud kernel",
  (device) => {
    const refused = chooseMachine({ ...NOTHING, device }, CLOUD);
    expect(refused).toMatchObject({ ok: false, status: 2, reason: expect.stringContaining("`machine pc`") });
    expect(chooseMachine({ ...NOTHING, device }, { ...CLOUD, kernel: "6.1.0-56-amd64" })).toMatchObject({
      ok: true,
      device,
    });
  },
);

test("missing UEFI firmware is reported with its package, and installed firmware is found", () => {
  const folder = mkdtempSync(join(tmpdir(), "capc-firmware-"));
  try {
    const missing = findFirmware("uefi", { folder });
    expect(missing).toMatchObject({ ok: false, reason: expect.stringContaining("Debian's package ovmf") });
    for (const name of ["OVMF_CODE_4M.fd", "OVMF_VARS_4M.fd"]) writeFileSync(join(folder, name), "");
    expect(findFirmware("uefi", { folder })).toMatchObject({ ok: true, value: { kind: "uefi" } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("Secure Boot selects UEFI by default, and is refused with BIOS", () => {
  const asked = { ...NOTHING, secure: true };
  expect(chooseMachine({ ...asked, firmware: "bios" }, CLOUD)).toMatchObject({ ok: false, status: 2 });
  const chosen = chooseMachine(asked, CLOUD);
  if (chosen.ok) expect(chosen.firmware).toMatchObject({ kind: "uefi", secure: true });
  else expect(chosen.reason).toContain("package ovmf");
  const firmware = { kind: "uefi", program: "/code", variables: "/vars", secure: true } as const;
  const words = buildQemuArguments({ ...GUEST, device: "virtio", firmware }, { name: "tcg", because: "" }).join(" ");
  expect(words).toContain("-machine q35,smm=on ");
  expect(words).toContain("-global driver=cfi.pflash01,property=secure,value=on ");
});

const GUEST = { image: "a,b.iso", format: "raw", disk: undefined, memoryMiB: 512, interactive: false } as const;

test("the image is read-only on every device, and the guest changes only a copy of the UEFI variables", () => {
  const words = (device: MediumDevice): string =>
    buildQemuArguments(
      { ...GUEST, device, firmware: { kind: "uefi", program: "/code", variables: "/vars", secure: false } },
      { name: "tcg", because: "" },
    ).join(" ");
  for (const device of ["virtio", "ide-cd", "ahci-cd", "usb", "nvme"] as const) {
    expect(words(device)).toContain("file=a,,b.iso,format=raw,if=none,id=medium,readonly=on");
    expect(words(device)).toMatch(/drive=medium,bootindex=1/);
    expect(words(device)).toContain("if=pflash,unit=0,format=raw,file=/code,readonly=on");
    expect(words(device)).toContain("if=pflash,unit=1,format=raw,file=/vars,snapshot=on");
  }
});
