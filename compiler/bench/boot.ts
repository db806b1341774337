// CPU seconds that QEMU takes from its start to the first prompt of a machine.

import { join } from "node:path";
import { readConsole } from "../cli/chat/console.ts";
import { chooseAccelerator } from "../cli/machine/accelerator.ts";
import { startScripted } from "../cli/machine/guest.ts";
import { findQemu, qemuArguments } from "../cli/machine/qemu.ts";
import { stateFolder } from "../cli/state-folder.ts";

/** A machine that has not come up by then will not. */
const MOST_SECONDS = 300;

/** What stands on the console when there is no prompt is part of the reason that is thrown. */
export async function cpuSecondsToPrompt(iso: string, disk: string): Promise<number> {
  const qemu = findQemu();
  if (qemu === undefined) throw new Error("qemu-system-x86_64 is not installed");
  const words = qemuArguments(
    { iso, disk, memoryMiB: 512, interactive: false },
    chooseAccelerator(qemu, join(stateFolder(), "accelerator")),
  );
  const reader = readConsole();
  const shown: string[] = [];
  let seconds: number | undefined;
  const guest = startScripted(
    qemu,
    words,
    (bytes) => {
      for (const seen of reader.push(bytes)) {
        if (seen.kind === "line") shown.push(seen.text);
        if (seen.kind !== "asks" || seconds !== undefined) continue;
        seconds = guest.cpuSeconds();
        guest.kill();
      }
    },
    (complaint) => shown.push(complaint),
  );
  const deadline = setTimeout(guest.kill, MOST_SECONDS * 1000);
  await guest.ended;
  clearTimeout(deadline);
  if (seconds === undefined) throw new Error(`the machine gave no prompt:\n${shown.join("\n")}`);
  return seconds;
}
