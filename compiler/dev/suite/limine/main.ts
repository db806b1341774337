// make limine LIMINE=FOLDER: builds an image for upstream's kernel, with real files of Limine and a kernel of 200 bytes instead of
// upstream's. It starts the image in every supported way. Only users who have Limine's files can run it: this project takes its
// inputs from Debian, which does not provide these files.

import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { LIMINE_FILES } from "../../../../targets/contract/upstream-plan.ts";
import { chooseAccelerator } from "../../../machine/accelerator.ts";
import { type FirmwareName, findFirmware } from "../../../machine/firmware.ts";
import { buildQemuArguments, findQemu, type MediumDevice } from "../../../machine/qemu.ts";
import { createBootable } from "../../fixtures/boot/stand-ins.ts";
import { runCapc } from "../stage.ts";

/**
 * The combinations of firmware and device to start. BIOS with a disk is missing, because it needs `limine
 * bios-install`.
 */
const WAYS: readonly (readonly [FirmwareName, MediumDevice])[] = [
  ["bios", "ide-cd"],
  ["bios", "ahci-cd"],
  ["uefi", "ide-cd"],
  ["uefi", "virtio"],
];

/**
 * Timeout of one start in milliseconds, with or without emulation. A machine that hangs is terminated and counts as
 * failed.
 */
const MOST_MS = 120_000;

/** Exit status of QEMU after the kernel writes 1 to isa-debug-exit, which it does when it has printed everything. */
const SAID_ALL = 3;

async function main(limine: string): Promise<number> {
  const qemu = findQemu();
  if (limine === "" || qemu === undefined) {
    const missing =
      limine === "" ? `LIMINE=FOLDER, with ${LIMINE_FILES.join(", ")}` : "Debian's package qemu-system-x86";
    process.stderr.write(`make limine needs ${missing}\n`);
    return 2;
  }
  const scratch = mkdtempSync(join(tmpdir(), "capc-limine-"));
  try {
    writePage(join(scratch, "page"), resolve(limine));
    const built = await runCapc(["build", join(scratch, "page/system.cap"), "--out", join(scratch, "out")]);
    if (built.status !== 0) return 1;
    const wanted = `modules 1, bytes ${statSync(join(scratch, "out/manifest.bin")).size}\n`;
    let failed = 0;
    for (const [firmware, device] of WAYS) {
      const said = await runUntilStarted(qemu, join(scratch, "out/system.iso"), firmware, device);
      if (!said.endsWith(wanted)) failed += 1;
      const words = said.endsWith(wanted) ? wanted.trimEnd() : `FAILED: ${JSON.stringify(said.slice(-200))}`;
      process.stdout.write(`${firmware} ${device}: ${words}\n`);
    }
    process.stdout.write(`${WAYS.length - failed} passed, ${failed} failed\n`);
    return failed === 0 ? 0 : 1;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function writePage(folder: string, limine: string): void {
  for (const [path, content] of Object.entries(createBootable())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  for (const name of LIMINE_FILES) {
    const place = join(folder, "boot/limine", name);
    rmSync(place);
    // If the user's folder lacks this file of Limine, the build reports it as missing.
    if (existsSync(join(limine, name))) copyFileSync(join(limine, name), place);
  }
}

/**
 * Returns the output of the serial port until the kernel has printed everything. After a failure, the output also
 * contains the reason.
 */
function runUntilStarted(
  qemu: string,
  image: string,
  firmwareName: FirmwareName,
  device: MediumDevice,
): Promise<string> {
  const found = findFirmware(firmwareName);
  if (!found.ok) return Promise.resolve(found.reason);
  const { value: firmware } = found;
  const guest = {
    image,
    format: "raw",
    firmware,
    device,
    disk: undefined,
    memoryMiB: 512,
    interactive: false,
  } as const;
  const words = [
    ...buildQemuArguments(guest, chooseAccelerator(qemu, undefined)),
    "-device",
    "isa-debug-exit,iobase=0xf4,iosize=1",
  ];
  const child = spawn(qemu, words, { stdio: ["ignore", "pipe", "inherit"], timeout: MOST_MS, killSignal: "SIGKILL" });
  let said = "";
  child.stdout.setEncoding("latin1").on("data", (text: string) => {
    said = (said + text).slice(-65_536);
  });
  return new Promise((end) => {
    child.once("error", ({ message }) => end(message));
    child.once("close", (status) => end(status === SAID_ALL ? said : `${said} (QEMU ended with ${status})`));
  });
}

process.exitCode = await main(process.argv[2] ?? "");
