// Follows a log that a machine is writing, and reports new records as they come. It verifies the whole log again each time: if reported
// records have changed, it ends with an error.

import { watch } from "node:fs";
import { isSame } from "../../../engine/processes/audit/record.ts";
import type { Verdict, VerifiedRecord } from "../../../engine/processes/audit/verify.ts";
import type { World } from "../../host/world.ts";
import { createWaker } from "../watch.ts";
import type { LogSource } from "./log-source.ts";
import { describeDamage, read } from "./reading.ts";

/** Reports new records until the user interrupts; then returns `undefined`. If the log cannot be followed further, returns the reason. */
export async function follow(
  log: LogSource,
  { interrupted }: Pick<World, "interrupted">,
  each: (found: VerifiedRecord) => void,
): Promise<string | undefined> {
  const woken = createWaker();
  // A watcher does not notice a write to a device, so the caller has already refused devices.
  const watcher = watch(log.path, woken.wake);
  watcher.on("error", woken.wake);
  interrupted.addEventListener("abort", woken.wake);
  const told = new Told(each);
  try {
    // The watcher is set before the first reading, so that it notices every write after this reading.
    while (!interrupted.aborted) {
      const wrong = await look(log, { interrupted }, told);
      if (wrong !== undefined) return wrong;
      await woken.next();
    }
    return undefined;
  } finally {
    interrupted.removeEventListener("abort", woken.wake);
    watcher.close();
  }
}

/**
 * Reads the log, and returns the reason if it cannot be followed further. A write in progress looks like damage, so a
 * damaged log is read once more: only real damage remains.
 */
async function look(log: LogSource, world: Pick<World, "interrupted">, told: Told): Promise<string | undefined> {
  const first = await told.hear((each) => read(log, world, each));
  if (first === undefined || first.fault === undefined) return told.findFault(first);
  const second = await told.hear((each) => read(log, world, each));
  return told.findFault(second) ?? (second && describeDamage(second));
}

/**
 * Reports each record of a log once, although the log is read repeatedly, and notices if a reported record changes or
 * disappears.
 */
class Told {
  readonly #each: (found: VerifiedRecord) => void;
  #sequence = 0n;
  #hash: Uint8Array = new Uint8Array(0);
  #isAnother = false;

  constructor(each: (found: VerifiedRecord) => void) {
    this.#each = each;
  }

  async hear<T>(reading: (each: (found: VerifiedRecord) => void) => Promise<T>): Promise<T> {
    return await reading((found) => {
      const { sequence } = found.record;
      if (sequence === this.#sequence && !isSame(found.hash, this.#hash)) this.#isAnother = true;
      if (sequence <= this.#sequence || this.#isAnother) return;
      this.#sequence = sequence;
      this.#hash = found.hash;
      this.#each(found);
    });
  }

  findFault(verdict: Verdict | undefined): string | undefined {
    if (this.#isAnother) return `record ${this.#sequence} is another than the one that was told`;
    const isShorter = verdict?.fault === undefined && verdict !== undefined && verdict.chain.sequence < this.#sequence;
    return isShorter ? `the log ends before record ${this.#sequence}, which was told` : undefined;
  }
}
