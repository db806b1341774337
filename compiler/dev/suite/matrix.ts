// Defines the matrix of `make test-images`: firmware, devices, and formats of an image. Each cell is a machine that plays a conversation;
// formats with equal bytes are compared, and not booted twice.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readChildrenCpuSeconds } from "../../machine/cpu-time.ts";
import { boot } from "./boot.ts";
import { CHECKOUT, createClaim, type Result, runCapc, type Stage } from "./stage.ts";

const EXAMPLE = "examples/first-agent";
const OUT = "build/test/matrix";
const SHORT = `${EXAMPLE}/nodisk.chat`;
/** Script of a conversation on a machine with a data disk. */
const LONG = `${EXAMPLE}/smoke.chat`;

type Machine = "vm" | "pc";

interface Cell {
  readonly machine: Machine;
  readonly firmware: "bios" | "uefi";
  readonly device: "virtio" | "ide-cd" | "ahci-cd" | "usb" | "nvme";
  readonly format: "iso" | "qcow2" | "efi";
  readonly script?: string;
  /** Number of processors; 1 by default. */
  readonly processors?: number;
}

const createCell = (
  machine: Machine,
  firmware: Cell["firmware"],
  device: Cell["device"],
  format: Cell["format"] = "iso",
): Cell => ({ machine, firmware, device, format });

const FIRMWARES = ["bios", "uefi"] as const;
/**
 * The machines to boot. Each firmware starts the ISO from each kind of device. It also starts an image in every other
 * format once, if it accepts this format. The last two machines play the full conversation.
 */
export const CELLS: readonly Cell[] = [
  ...FIRMWARES.flatMap((firmware) =>
    (["virtio", "ide-cd", "nvme"] as const).map((device) => createCell("vm", firmware, device)),
  ),
  ...FIRMWARES.flatMap((firmware) =>
    (["ahci-cd", "usb", "nvme"] as const).map((device) => createCell("pc", firmware, device)),
  ),
  ...FIRMWARES.map((firmware) => createCell("vm", firmware, "virtio", "qcow2")),
  createCell("vm", "uefi", "virtio", "efi"),
  // Plays the long script on a machine of the kind `pc`, to test the drivers of a PC and of its data disk.
  { ...createCell("pc", "uefi", "virtio"), script: LONG },
  // With two processors, init, console, gates and broker run at the same time. With one processor, only one of them
  // runs at a time.
  { ...createCell("vm", "bios", "virtio"), script: LONG, processors: 2 },
];

const getFolder = (machine: Machine): string => `${OUT}/${machine}`;

/** Returns the stage that builds the example for a virtual machine or for a PC, in both cases with a serial console. */
function build(machine: Machine): Stage {
  const name = `build for ${machine}`;
  const [page, out] = [join(CHECKOUT, OUT, `${machine}-page`), join(CHECKOUT, getFolder(machine))];
  return {
    name,
    run: async () => {
      for (const folder of [page, out]) rmSync(folder, { recursive: true, force: true });
      mkdirSync(join(CHECKOUT, OUT), { recursive: true });
      cpSync(join(CHECKOUT, EXAMPLE), page, { recursive: true });
      const path = join(page, "system.cap");
      writeFileSync(path, readFileSync(path, "utf8").replace(/machine vm\b/, `machine ${machine}  console serial`));
      const words = ["build", path, "--out", out, "--format", "raw,qcow2,efi,oci-layout"];
      return createClaim(name, await runCapc(words, { quiet: true }));
    },
  };
}

/**
 * Stage for disks that are compared and not booted, because their bytes equal the ISO: the raw disk, and the disk in
 * the layer of the container.
 */
const sameBytes: Stage = {
  name: "the same disk",
  run: async () => {
    const readOutputFile = (name: string): Buffer => readFileSync(join(CHECKOUT, getFolder("vm"), name));
    const iso = readOutputFile("system.iso");
    const index = JSON.parse(readOutputFile("system.oci/index.json").toString());
    const readBlob = (digest: string): Buffer => readOutputFile(`system.oci/blobs/${digest.replace(":", "/")}`);
    const manifest = JSON.parse(readBlob(index.manifests[0].digest).toString());
    // In the layer, a tar archive, the bytes of the disk follow the headers of its folder and of its file.
    const layer = readBlob(manifest.layers[0].digest).subarray(1024, 1024 + iso.length);
    const differing = [
      ...(readOutputFile("system.raw").equals(iso) ? [] : ["system.raw"]),
      ...(layer.equals(iso) ? [] : ["the layer of system.oci"]),
    ].map((name) => ({ name, words: "it is not the ISO byte for byte" }));
    return { passed: 2 - differing.length, failed: differing.length, failures: differing };
  },
};

interface Played extends Result {
  readonly cell: Cell;
  readonly cpuSeconds: number;
}

const played: Played[] = [];

function play(each: Cell): Stage {
  const { machine, firmware, device, format, script = SHORT, processors = 1 } = each;
  const image = `${getFolder(machine)}/system.${format}`;
  const words = ["--firmware", firmware, "--device", device, "--processors", `${processors}`];
  const stage = boot(script, image, words);
  return {
    name: `${machine} ${firmware} ${device} ${format}${processors > 1 ? `, ${processors} processors` : ""}`,
    run: async () => {
      const before = readChildrenCpuSeconds();
      const result = await stage.run();
      played.push({ ...result, cell: each, cpuSeconds: readChildrenCpuSeconds() - before });
      return result;
    },
  };
}

/** Stage that prints a row for each booted machine. It fails if a machine of `CELLS` was not booted. */
const table: Stage = {
  name: "matrix",
  run: async () => {
    const formatRow = (...words: readonly string[]): string => `${words.map((word) => word.padEnd(10)).join("")}\n`;
    process.stdout.write(formatRow("machine", "cores", "firmware", "device", "format", "CPU s", "claims"));
    for (const { cell: each, passed, failed, cpuSeconds } of played) {
      const { machine, firmware, device, format, processors = 1 } = each;
      const claims = failed === 0 ? `${passed} passed` : `${passed} passed, ${failed} FAILED`;
      process.stdout.write(
        formatRow(machine, `${processors}`, firmware, device, format, cpuSeconds.toFixed(1), claims),
      );
    }
    const missing = CELLS.length - played.length;
    return { passed: missing === 0 ? 1 : 0, failed: missing, failures: [] };
  },
};

/** Stages in this order: builds, comparisons without a boot, boots, and the summary as a table. */
export const matrix: readonly Stage[] = [build("vm"), build("pc"), sameBytes, ...CELLS.map(play), table];
