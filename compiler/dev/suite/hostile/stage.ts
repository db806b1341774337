// A stage of `make test-images` with one machine. It tests that malformed weights with a valid signature end only the
// worker that runs them. It also tests, from outside, that two workers with the same valid weights share one copy in
// the machine's memory.

import { join } from "node:path";
import { ensureStateFolder } from "../../../host/state-folder.ts";
import { chooseAccelerator } from "../../../machine/accelerator.ts";
import { readConsole } from "../../../machine/chat/console.ts";
import { startScripted } from "../../../machine/guest.ts";
import { buildQemuArguments, findQemu } from "../../../machine/qemu.ts";
import { buildMemoryArguments } from "../memory.ts";
import { CHECKOUT, createScratchStage, judgeClaims, type Result, type Stage } from "../stage.ts";
import { countCopies, selectSamples } from "./copies.ts";
import { buildHostileImage } from "./image.ts";

const NAME = "hostile weights";
const FOLDER = join(CHECKOUT, "build/test/hostile");
const MEMORY_MIB = 768;
/** Timeout of a run that hangs. */
const MOST_SECONDS = 900;
const GIVEN_UP = ["capos: given up: model.layers", "capos: given up: model.heads"];
const SAMPLES = 5;

export const hostileWeights: Stage = createScratchStage(NAME, async (scratch) => {
  const image = join(FOLDER, "system.iso");
  const samples = selectSamples(await buildHostileImage(FOLDER, image), SAMPLES);
  return judgeLife(await runLife(image, join(scratch, "memory"), samples));
});

interface Life {
  readonly lines: readonly string[];
  /**
   * For each sample (a memory page of the honest weights), the number of its copies in memory after init has given up
   * the hostile workers.
   */
  readonly copies: readonly number[];
}

function judgeLife({ lines, copies }: Life): Result {
  const count = (words: string): number => lines.filter((line) => line.startsWith(words)).length;
  const claims: readonly (readonly [name: string, holds: boolean])[] = [
    ["what the engine gives up over dies by a signal, twice", count("capos: model.layers stopped (signal ") === 2],
    ["what the engine refuses ends by itself, twice", count("capos: model.heads stopped (exit 1)") === 2],
    ["and says so", lines.some((line) => line.startsWith("capos: model.heads said: the model cannot be run: "))],
    ["both are given up", GIVEN_UP.every((words) => count(words) === 1)],
    ["nobody else dies", lines.filter((line) => /stopped \((?:signal|exit)/.test(line)).length === 4],
    ["the machine goes on, and ends in order", count("capos: powered off cleanly") === 1],
    [`honest weights lie in its memory once: ${copies.join(" ")}`, copies.join() === Array(SAMPLES).fill(1).join()],
  ];
  return judgeClaims(claims, lines.slice(-20));
}

/**
 * Boots the machine. When it is at its prompt and init has given up both hostile workers, counts the copies of each
 * sample in the machine's memory. Then ends the conversation.
 */
async function runLife(image: string, memory: string, samples: readonly Buffer[]): Promise<Life> {
  const qemu = findQemu();
  if (qemu === undefined) throw new Error("qemu-system-x86_64 is not installed");
  const reader = readConsole();
  const lines: string[] = [];
  let copies: readonly number[] = [];
  let isAsked = false;
  const handleBytes = (bytes: Uint8Array): void => {
    for (const seen of reader.push(bytes)) {
      if (seen.kind === "line") {
        lines.push(seen.text);
        process.stdout.write(`${seen.text}\n`);
      }
      isAsked ||= seen.kind === "asks";
    }
    if (copies.length > 0 || !isAsked || !GIVEN_UP.every((words) => lines.includes(words))) return;
    copies = countCopies(memory, samples);
    guest.type("/exit\r");
  };
  const guest = startScripted(qemu, buildMachineArguments(qemu, image, memory), handleBytes, (complaint) =>
    lines.push(complaint),
  );
  const deadline = setTimeout(guest.kill, MOST_SECONDS * 1000);
  await guest.ended;
  clearTimeout(deadline);
  return { lines, copies };
}

/** Returns QEMU's arguments for a machine that has no data disk, and whose memory is a file. */
function buildMachineArguments(qemu: string, image: string, memory: string): readonly string[] {
  const guest = { image, format: "raw", firmware: { kind: "bios" }, device: "virtio", disk: undefined } as const;
  const accelerator = chooseAccelerator(qemu, join(ensureStateFolder(), "accelerator"));
  return [
    ...buildQemuArguments({ ...guest, memoryMiB: MEMORY_MIB, interactive: false }, accelerator),
    ...buildMemoryArguments(memory, MEMORY_MIB),
  ];
}
