// Measures CPU seconds of QEMU from its start to the machine's first prompt, and to the first response of its gate. It
// also measures the CPU seconds from the exit command to the end of QEMU, and the memory of an idle machine.

import { join } from "node:path";
import { ensureStateFolder } from "../../host/state-folder.ts";
import { chooseAccelerator } from "../../machine/accelerator.ts";
import { readConsole } from "../../machine/chat/console.ts";
import { readChildrenCpuSeconds } from "../../machine/cpu-time.ts";
import { startScripted } from "../../machine/guest.ts";
import { buildQemuArguments, findQemu } from "../../machine/qemu.ts";

/** Maximum seconds for the start of a machine; a slower machine is terminated. */
const MOST_SECONDS = 300;

/** Memory of the example's machine in mebibytes; with less memory the machine may fail. */
const MEMORY_MIB = 512;

/** CPU seconds since the start of QEMU. */
export interface BootTimes {
  readonly prompt: number;
  /** Time at which the console shows the gate's response to `/tools`, which was typed at the prompt. */
  readonly answer: number;
}

/** Measurements of a machine with all its processes, until it ends. */
interface Life {
  /** Memory of the machine that is not available to further programs, in mebibytes. */
  readonly usedMebibytes: number;
  /** CPU seconds from `/exit` to the end of QEMU. */
  readonly ending: number;
}

interface Played {
  /** CPU seconds at each time when the machine asked for a line. */
  readonly asked: readonly number[];
  readonly whole: number;
  readonly shown: readonly string[];
}

export async function bootTimes(iso: string, disk: string): Promise<BootTimes> {
  const { asked, shown } = await play(iso, disk, ["/tools"]);
  const [prompt, answer] = asked;
  return prompt === undefined || answer === undefined ? failSilent(shown) : { prompt, answer };
}

/**
 * Measures a machine after the gate of the last session has responded: by then all processes of the machine have
 * started.
 */
export async function measureLife(iso: string, disk: string): Promise<Life> {
  const { asked, whole, shown } = await play(iso, disk, ["/session visitor", "/tool machine.show {}", "/exit"]);
  const free = shown.map((line) => /"memoryFreeBytes":"?(\d+)/.exec(line)?.[1]).find((bytes) => bytes !== undefined);
  const left = asked[2];
  if (free === undefined || left === undefined || !shown.includes("capos: powered off cleanly"))
    return failSilent(shown);
  const freeMebibytes = Number(free) / 1024 / 1024;
  // The used memory is `MEMORY_MIB` less the free memory. It would be wrong if the machine had more than `MEMORY_MIB`.
  if (freeMebibytes >= MEMORY_MIB)
    throw new Error(`the machine has more than ${MEMORY_MIB} MiB: ${free} bytes are free`);
  return { usedMebibytes: MEMORY_MIB - freeMebibytes, ending: whole - left };
}

/** Throws an error that contains the console's lines. Used if the machine did not answer. */
function failSilent(shown: readonly string[]): never {
  throw new Error(`the machine did not answer:\n${shown.join("\n")}`);
}

/** Types one line at each prompt. Ends a machine that prompts again after the last line. */
async function play(iso: string, disk: string, lines: readonly string[]): Promise<Played> {
  const qemu = findQemu();
  if (qemu === undefined) throw new Error("qemu-system-x86_64 is not installed");
  const words = buildQemuArguments(
    {
      image: iso,
      format: "raw",
      firmware: { kind: "bios" },
      device: "virtio",
      disk,
      memoryMiB: MEMORY_MIB,
      interactive: false,
    },
    chooseAccelerator(qemu, join(ensureStateFolder(), "accelerator")),
  );
  const before = readChildrenCpuSeconds();
  const reader = readConsole();
  const shown: string[] = [];
  const asked: number[] = [];
  const guest = startScripted(
    qemu,
    words,
    (bytes) => {
      for (const seen of reader.push(bytes)) {
        if (seen.kind === "line") shown.push(seen.text);
        if (seen.kind !== "asks") continue;
        asked.push(guest.cpuSeconds());
        const line = lines[asked.length - 1];
        if (line === undefined) guest.kill();
        else guest.type(`${line}\r`);
      }
    },
    (complaint) => shown.push(complaint),
  );
  const deadline = setTimeout(guest.kill, MOST_SECONDS * 1000);
  await guest.ended;
  clearTimeout(deadline);
  return { asked, whole: readChildrenCpuSeconds() - before, shown };
}
