// The words of QEMU's command line. One serial port, no network card, no graphics, no monitor: what the guest has is here.

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { Accelerator } from "./accelerator.ts";
import { SEARCH_PATH } from "./programs.ts";

const PROGRAM = "qemu-system-x86_64";

/** Where QEMU is, or nothing if it is not installed. */
export function findQemu(): string | undefined {
  return SEARCH_PATH.split(":")
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, PROGRAM))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export interface Guest {
  readonly iso: string;
  readonly disk: string | undefined;
  /** Nobody keeps the disk, so what the guest has flushed need not reach the host's own: that is slow where it is busy. */
  readonly isDiskThrownAway?: boolean;
  readonly memoryMiB: number;
  /** A person at a terminal: Ctrl-A X ends QEMU, and everything else, Ctrl-C too, reaches the guest. */
  readonly interactive: boolean;
}

export function qemuArguments(guest: Guest, accelerator: Accelerator): string[] {
  const disk = guest.disk;
  const cache = guest.isDiskThrownAway === true ? "unsafe" : "writeback";
  return [
    ...["-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-nic", "none"],
    // One processor: under emulation a second one makes the start slower (measured). `q35` is no faster than `pc`: 17.4 CPU
    // seconds to the prompt, and 16.5.
    ...["-machine", "pc", "-smp", "1", "-m", `${guest.memoryMiB}`, "-accel", accelerator.name],
    ...["-cpu", accelerator.name === "kvm" ? "host" : "max"],
    ...["-chardev", `stdio,id=console,signal=off,mux=${guest.interactive ? "on" : "off"}`],
    ...["-serial", "chardev:console"],
    // The image starts from an optical drive as well, but a virtual disk is faster (18 CPU seconds to the prompt, not 24).
    ...["-drive", `file=${escaped(guest.iso)},format=raw,if=virtio,readonly=on`],
    ...(disk === undefined ? [] : ["-drive", `file=${escaped(disk)},format=raw,if=virtio,cache=${cache}`]),
  ];
}

/** A comma ends a value on QEMU's command line; two are one. */
function escaped(path: string): string {
  return path.replaceAll(",", ",,");
}
