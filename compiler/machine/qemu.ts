// Builds QEMU's command line, which defines all devices of the guest. The guest has one serial port, or a screen with a
// keyboard; no monitor; and a network card if the image's page has a network.

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Accelerator } from "./accelerator.ts";
import type { Firmware } from "./firmware.ts";
import { NAME_SERVER } from "./link/leases.ts";
import type { LinkPlan, LinkSockets } from "./link/start.ts";
import { getSearchPath } from "./programs.ts";

const PROGRAM = "qemu-system-x86_64";

/** Returns the path of QEMU, or `undefined` if it is not installed. */
export function findQemu(): string | undefined {
  return getSearchPath()
    .split(":")
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

/** Devices that can contain the image: words of `--device`. */
export const DEVICES = ["virtio", "ide-cd", "ahci-cd", "usb", "nvme"] as const;
export type MediumDevice = (typeof DEVICES)[number];

interface Guest {
  readonly image: string;
  readonly format: "raw" | "qcow2";
  readonly firmware: Firmware;
  readonly device: MediumDevice;
  /** File system with the program that UEFI starts instead of the image's own program. */
  readonly startFrom?: string;
  readonly disk: string | undefined;
  /** Whether the disk is discarded after the run. If so, the guest's flushes need not reach the host's disk, which is slow under load. */
  readonly isDiskThrownAway?: boolean;
  /** Empty file that records every write and flush of the data disk. */
  readonly diskRecord?: string;
  /** Whether the guest has a network card. QEMU itself opens the guest's connections, as this user and from this host. */
  readonly hasNetwork?: boolean;
  /** Folder whose files the machine finds at http://10.0.2.80, on a web server for it alone. */
  readonly web?: string;
  /** Other servers that the guest finds on the network, as link/README.md describes. */
  readonly link?: LinkPlan;
  readonly memoryMiB: number;
  /** Number of processors; 1 by default. */
  readonly processors?: number;
  /** Whether a person is at the terminal: Ctrl-A X ends QEMU, and everything else, even Ctrl-C, reaches the guest. */
  readonly interactive: boolean;
  /** Display for the guest's own screen and keyboard, which replace the serial port. */
  readonly screen?: Display;
}

/**
 * How QEMU shows the guest's screen. `curses`: QEMU shows it as text in its terminal. `none`: QEMU shows it only
 * through its monitor.
 */
export type Display = "gtk" | "sdl" | "curses" | "none";

export function buildQemuArguments(guest: Guest, accelerator: Accelerator): string[] {
  const { device, processors = 1 } = guest;
  const medium = `file=${escapeCommas(guest.image)},format=${guest.format},if=none,id=medium,readonly=on`;
  return [
    ...["-nodefaults", "-no-user-config", "-no-reboot", ...buildNetworkArguments(guest)],
    // Under emulation a second processor makes the start slower (measured). `q35` is not faster than `pc`: it needs 17.4 CPU
    // seconds to the prompt, and `pc` 16.5.
    ...["-machine", chooseMachine(guest.firmware), "-smp", `${processors}`, "-m", `${guest.memoryMiB}`],
    ...["-accel", accelerator.name],
    ...["-cpu", accelerator.name === "kvm" ? "host" : "max"],
    ...buildFirmwareArguments(guest.firmware),
    ...buildConsoleArguments(guest),
    ...["-drive", device.endsWith("-cd") ? `${medium},media=cdrom` : medium, ...buildMediumArguments(device)],
    ...(guest.startFrom === undefined ? [] : startWords(guest.startFrom)),
    ...buildDiskArguments(guest),
  ];
}

/** Returns the arguments for the screen or the serial console. No argument adds a keyboard, because a PC's board has one by default. */
function buildConsoleArguments({ screen, interactive }: Guest): readonly string[] {
  if (screen !== undefined) return ["-vga", "std", "-display", screen, "-serial", "none"];
  const chardev = `stdio,id=console,signal=off,mux=${interactive ? "on" : "off"}`;
  return ["-display", "none", "-chardev", chardev, "-serial", "chardev:console"];
}

/**
 * Returns the network arguments. No port of the host is forwarded to the guest, but 10.0.2.2 is the host itself. The
 * guest cannot boot from the network card.
 */
function buildNetworkArguments({ hasNetwork, web, link }: Guest): readonly string[] {
  if (hasNetwork !== true) return ["-nic", "none"];
  const webAt = ["10.0.2.80", ...(link?.names?.addresses ?? [])].map((address) => `${address}:80`);
  const servers = [
    ...(web === undefined
      ? []
      : webAt.map((place) => buildForward(place, WEB, web, ...(link === undefined ? [] : [link.otlp])))),
    ...(link?.names === undefined ? [] : [buildForward(`${NAME_SERVER.join(".")}:53`, NAMES, link.names.file)]),
    ...(link?.syslog === undefined ? [] : [buildForward(COLLECTOR, SYSLOG, link.syslog)]),
  ];
  const net = ["user,id=net,ipv6=off", ...(link?.names === undefined ? [] : [WIDE]), ...servers].join(",");
  const card = ["-device", "virtio-net-pci,netdev=net,romfile="];
  return ["-netdev", net, ...card, ...(link?.sockets === undefined ? [] : filterWords(link.sockets))];
}

/** Network options that put public-looking addresses on QEMU's network; its own addresses stay the same. */
const WIDE = "net=8.0.0.0/5,host=10.0.2.2,dhcpstart=10.0.2.15,dns=10.0.2.3";

/** Address and port at which the machine finds the syslog collector. */
const COLLECTOR = "10.0.2.80:514";

// Each URL is written in full, because `compiler/dev/pack` finds the programs in the source by this form.
const WEB = new URL("./web.ts", import.meta.url);
const NAMES = new URL("./link/names.ts", import.meta.url);
const SYSLOG = new URL("./link/syslog.ts", import.meta.url);

/**
 * Returns the option that forwards an address and port to a program. QEMU splits the program's command line like a
 * shell, and starts the program for each connection.
 */
function buildForward(place: string, program: URL, ...files: readonly string[]): string {
  const words = [process.execPath, fileURLToPath(program), ...files];
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return `guestfwd=tcp:${place}-cmd:${escapeCommas(command)}`;
}

function filterWords({ out, back, sent }: LinkSockets): readonly string[] {
  return [
    ...buildRedirector("passed", "tx", { out, back }),
    ...(sent === undefined ? [] : buildRedirector("asked", "rx", sent)),
  ];
}

/** Returns the arguments that pass frames through two sockets: with `tx`, frames for the machine; with `rx`, frames that it sends. */
function buildRedirector(
  name: string,
  queue: "tx" | "rx",
  { out, back }: { out: string; back: string },
): readonly string[] {
  const buildSocket = (id: string, path: string): readonly string[] => [
    "-chardev",
    `socket,id=${id},path=${escapeCommas(path)}`,
  ];
  const filter = `filter-redirector,id=${name},netdev=net,queue=${queue},outdev=${name}-out,indev=${name}-back`;
  return [...buildSocket(`${name}-out`, out), ...buildSocket(`${name}-back`, back), "-object", filter];
}

function buildDiskArguments({ disk, isDiskThrownAway, diskRecord }: Guest): readonly string[] {
  if (disk === undefined) return [];
  const cache = isDiskThrownAway === true ? "unsafe" : "writeback";
  if (diskRecord === undefined) return ["-drive", `file=${escapeCommas(disk)},format=raw,if=virtio,cache=${cache}`];
  const buildFile = (name: string, path: string): string =>
    `driver=file,node-name=${name},filename=${escapeCommas(path)}`;
  return [
    ...["-blockdev", buildFile("disk-file", disk), "-blockdev", buildFile("record-file", diskRecord)],
    ...["-blockdev", "driver=blklogwrites,node-name=recorded,file=disk-file,log=record-file"],
    ...["-device", "virtio-blk-pci,drive=recorded"],
  ];
}

/** Returns QEMU's type of board: Secure Boot needs a newer board, on which only the firmware can write its variables. */
function chooseMachine(firmware: Firmware): string {
  return firmware.kind === "uefi" && firmware.secure ? "q35,smm=on" : "pc";
}

/**
 * Returns the arguments for the start disk. The start disk precedes the medium in the boot order, because the firmware
 * could also start the medium.
 */
function startWords(path: string): readonly string[] {
  const drive = `file=${escapeCommas(path)},format=raw,if=none,id=start,readonly=on`;
  return ["-drive", drive, "-device", "virtio-blk-pci,drive=start,bootindex=0"];
}

/**
 * Returns the arguments for the firmware. The firmware gets a temporary copy of its variables, so each run is like the
 * first start of a machine.
 */
function buildFirmwareArguments(firmware: Firmware): readonly string[] {
  if (firmware.kind === "bios") return [];
  const buildFlash = (unit: number, file: string, more: string): string[] => [
    "-drive",
    `if=pflash,unit=${unit},format=raw,file=${escapeCommas(file)},${more}`,
  ];
  const kept = firmware.secure ? ["-global", "driver=cfi.pflash01,property=secure,value=on"] : [];
  return [
    ...kept,
    ...buildFlash(0, firmware.program, "readonly=on"),
    ...buildFlash(1, firmware.variables, "snapshot=on"),
  ];
}

/** Returns the arguments for the device with the image. A virtio disk is the fastest: 18 CPU seconds to the prompt, and 24 with `ide-cd`. */
function buildMediumArguments(device: MediumDevice): readonly string[] {
  switch (device) {
    case "virtio":
      return ["-device", "virtio-blk-pci,drive=medium,bootindex=1"];
    case "ide-cd":
      return ["-device", "ide-cd,drive=medium,bootindex=1"];
    case "ahci-cd":
      return ["-device", "ich9-ahci,id=ahci", "-device", "ide-cd,bus=ahci.0,drive=medium,bootindex=1"];
    case "usb":
      return ["-device", "qemu-xhci", "-device", "usb-storage,drive=medium,bootindex=1"];
    case "nvme":
      return ["-device", "nvme,serial=capos,drive=medium,bootindex=1"];
  }
}

/** Doubles the commas of a path, because a single comma ends a value on QEMU's command line. */
function escapeCommas(path: string): string {
  return path.replaceAll(",", ",,");
}
