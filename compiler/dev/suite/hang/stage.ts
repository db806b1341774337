// A stage of `make test-images`: init hangs, and the kernel's watchdog restarts the machine. The image is a normal
// image. When the machine is at its prompt, the test changes its memory from outside, so that init hangs as soon as
// its current call of `poll` returns.

import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { readFilesInArchive } from "../../../artefacts/inspect/cpio-reader.ts";
import { findInitrd } from "../../../artefacts/inspect/initrd.ts";
import { openImage } from "../../../artefacts/inspect/opened.ts";
import { unpackInitrd } from "../../../artefacts/inspect/trust.ts";
import { useFile } from "../../../host/files.ts";
import { ensureStateFolder } from "../../../host/state-folder.ts";
import { chooseAccelerator } from "../../../machine/accelerator.ts";
import { readConsole } from "../../../machine/chat/console.ts";
import { startScripted } from "../../../machine/guest.ts";
import { buildQemuArguments, findQemu } from "../../../machine/qemu.ts";
import { buildMemoryArguments } from "../memory.ts";
import { CHECKOUT, createScratchStage, judgeClaims, type Result, type Stage } from "../stage.ts";
import { writeMemory } from "./debugger.ts";
import { FOR_EVER, findAddresses, pollSites } from "./poll-sites.ts";

const MEMORY_MIB = 512;
/** Timeout, long enough for two starts on a busy machine, and for the 120 s until the watchdog restarts the machine. */
const MOST_SECONDS = 900;
/**
 * Messages that appear if another cause restarts the machine, such as a kernel fault or the death of init, or if the
 * machine does not hang.
 */
const OTHERWISE = ["Kernel panic", "capos: all ended", "capos: powered off"];

const NAME = "init hangs";

/** Returns the stage in which init hangs. An earlier stage built the image. */
export function createHangStages(image: string): readonly Stage[] {
  return [createScratchStage(NAME, async (scratch) => judgeLives(await hang(join(CHECKOUT, image), scratch)))];
}

/** Observations of a machine, from one start to the next. */
interface Lives {
  readonly lines: readonly string[];
  /** Number of times that the machine reached its prompt. */
  readonly prompts: number;
  /** Seconds from the stop of init to the next start. */
  readonly seconds: number;
}

function judgeLives({ lines, prompts, seconds }: Lives): Result {
  process.stdout.write(`after ${seconds.toFixed(0)} s the machine started again\n`);
  const claims: readonly (readonly [string, boolean])[] = [
    ["the machine came up, and came up again once init hung", prompts === 2],
    [
      "it was not left in order, and nothing died",
      !OTHERWISE.some((words) => lines.some((line) => line.includes(words))),
    ],
  ];
  return judgeClaims(claims, lines.slice(-10));
}

/**
 * Boots the machine, and makes init hang at the first prompt. Terminates the machine at its second prompt, or at the
 * timeout.
 */
async function hang(image: string, scratch: string): Promise<Lives> {
  const qemu = findQemu();
  if (qemu === undefined) throw new Error("qemu-system-x86_64 is not installed");
  const [memory, socket] = [join(scratch, "memory"), join(scratch, "stub")];
  let reader = readConsole();
  const lines: string[] = [];
  let prompts = 0;
  let failure: unknown;
  let stopped = 0;
  let seconds = Number.NaN;
  const guest = startScripted(
    qemu,
    buildMachineArguments(qemu, image, memory, socket),
    (bytes) => {
      if (stopped > 0 && Number.isNaN(seconds)) {
        seconds = (performance.now() - stopped) / 1000;
        // The console before the restart may end with a prompt, which must not count as the prompt after the restart.
        reader = readConsole();
      }
      for (const seen of reader.push(bytes)) {
        if (seen.kind === "line") {
          lines.push(seen.text);
          process.stdout.write(`${seen.text}\n`);
        }
        if (seen.kind !== "asks") continue;
        prompts += 1;
        if (prompts > 1) guest.kill();
        else
          stopInit(image, memory, socket).then(
            () => {
              stopped = performance.now();
            },
            (error: unknown) => {
              failure = error;
              guest.kill();
            },
          );
      }
    },
    (complaint) => lines.push(complaint),
  );
  const deadline = setTimeout(guest.kill, MOST_SECONDS * 1000);
  await guest.ended;
  clearTimeout(deadline);
  if (failure !== undefined) throw failure;
  return { lines, prompts, seconds };
}

/** Returns QEMU's arguments for a machine that may restart, with its memory as a file and a debugger stub. */
function buildMachineArguments(qemu: string, image: string, memory: string, socket: string): readonly string[] {
  const guest = { image, format: "raw", firmware: { kind: "bios" }, device: "virtio", disk: undefined } as const;
  const accelerator = chooseAccelerator(qemu, join(ensureStateFolder(), "accelerator"));
  const words = buildQemuArguments({ ...guest, memoryMiB: MEMORY_MIB, interactive: false }, accelerator);
  return [
    ...words.filter((word) => word !== "-no-reboot"),
    ...buildMemoryArguments(memory, MEMORY_MIB),
    ...["-chardev", `socket,id=stub,path=${socket},server=on,wait=off`, "-gdb", "chardev:stub"],
  ];
}

async function stopInit(image: string, memory: string, socket: string): Promise<void> {
  const sites = pollSites(initOf(image));
  const file = openSync(memory, "r");
  const addresses = findAddresses(sites, file);
  closeSync(file);
  if (addresses.length === 0) throw new Error("init was not found in the memory of the machine");
  process.stdout.write(`init is stopped at ${addresses.length} places\n`);
  await writeMemory(socket, addresses, FOR_EVER);
}

/** Returns the program that the image's kernel starts. */
function initOf(path: string): Buffer {
  return useFile(path, (readAt) => {
    const image = openImage(readAt, statSync(path).size);
    const { bytes } = image === undefined ? { bytes: undefined } : findInitrd(image);
    const program = bytes === undefined ? undefined : readFilesInArchive(unpackInitrd(bytes))?.get("init");
    if (program === undefined) throw new Error(`${path} has no init`);
    return Buffer.from(program);
  });
}
