// CPU seconds that QEMU takes from its start to the first prompt of a machine, to the first answer of its gate, and from the
// wish to leave to its end; and what memory the machine is in when nothing happens.

import { join } from "node:path";
import { ensureStateFolder } from "../../host/state-folder.ts";
import { chooseAccelerator } from "../../machine/accelerator.ts";
import { readConsole } from "../../machine/chat/console.ts";
import { readChildrenCpuSeconds } from "../../machine/cpu-time.ts";
import { startScripted } from "../../machine/guest.ts";
import { buildQemuArguments, findQemu } from "../../machine/qemu.ts";

/** A machine that has not come up by then will not. */
const MOST_SECONDS = 300;

/** Of the example's machine: in less it is not promised to run. */
const MEMORY_MIB = 512;

/** CPU seconds since QEMU was started. */
export interface BootTimes {
  readonly prompt: number;
  /** `/tools` was typed at the prompt, and what the gate says to it stands on the console. */
  readonly answer: number;
}

/** A machine with all its processes up, and the end of it. */
interface Life {
  /** What programs can no longer have, of all that the machine has. */
  readonly usedMebibytes: number;
  /** CPU seconds from `/exit` to the end of QEMU. */
  readonly ending: number;
}

interface Played {
  /** CPU seconds at each moment at which it asked for a line. */
  readonly asked: readonly number[];
  readonly whole: number;
  readonly shown: readonly string[];
}

export async function bootTimes(iso: string, disk: string): Promise<BootTimes> {
  const { asked, shown } = await play(iso, disk, ["/tools"]);
  const [prompt, answer] = asked;
  return prompt === undefined || answer === undefined ? failSilent(shown) : { prompt, answer };
}

/** The gate of the last session answers: every process of the machine is up by then. */
export async function measureLife(iso: string, disk: string): Promise<Life> {
  const { asked, whole, shown } = await play(iso, disk, ["/session visitor", "/tool machine.show {}", "/exit"]);
  const free = shown.map((line) => /"memoryFreeBytes":"?(\d+)/.exec(line)?.[1]).find((bytes) => bytes !== undefined);
  const left = asked[2];
  if (free === undefined || left === undefined || !shown.includes("capos: powered off cleanly"))
    return failSilent(shown);
  const freeMebibytes = Number(free) / 1024 / 1024;
  // As the machine itself counts: one with more would show nothing of what fits into so much.
  if (freeMebibytes >= MEMORY_MIB)
    throw new Error(`the machine has more than ${MEMORY_MIB} MiB: ${free} bytes are free`);
  return { usedMebibytes: MEMORY_MIB - freeMebibytes, ending: whole - left };
}

/** What stands on the console of a machine that does not come so far is part of the reason. */
function failSilent(shown: readonly string[]): never {
  throw new Error(`the machine did not answer:\n${shown.join("\n")}`);
}

/** Types a line each time that it is asked for one; a machine that asks once more is ended. */
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
