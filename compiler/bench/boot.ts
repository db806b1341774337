// CPU seconds that QEMU takes from its start to the first prompt of a machine, and to the first answer of its gate.

import { join } from "node:path";
import { readConsole } from "../cli/chat/console.ts";
import { chooseAccelerator } from "../cli/machine/accelerator.ts";
import { startScripted } from "../cli/machine/guest.ts";
import { findQemu, qemuArguments } from "../cli/machine/qemu.ts";
import { stateFolder } from "../cli/state-folder.ts";

/** A machine that has not come up by then will not. */
const MOST_SECONDS = 300;

/** CPU seconds since QEMU was started. */
export interface BootTimes {
  readonly prompt: number;
  /** `/tools` was typed at the prompt, and what the gate says to it stands on the console. */
  readonly answer: number;
}

/** What stands on the console of a machine that does not come so far is part of the reason that is thrown. */
export async function bootTimes(iso: string, disk: string): Promise<BootTimes> {
  const qemu = findQemu();
  if (qemu === undefined) throw new Error("qemu-system-x86_64 is not installed");
  const words = qemuArguments(
    {
      image: iso,
      format: "raw",
      firmware: { kind: "bios" },
      device: "virtio",
      disk,
      memoryMiB: 512,
      interactive: false,
    },
    chooseAccelerator(qemu, join(stateFolder(), "accelerator")),
  );
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
        if (asked.length === 1) guest.type("/tools\r");
        else guest.kill();
      }
    },
    (complaint) => shown.push(complaint),
  );
  const deadline = setTimeout(guest.kill, MOST_SECONDS * 1000);
  await guest.ended;
  clearTimeout(deadline);
  const [prompt, answer] = asked;
  if (prompt === undefined || answer === undefined) throw new Error(`the machine did not answer:\n${shown.join("\n")}`);
  return { prompt, answer };
}
