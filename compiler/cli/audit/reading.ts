// Reads a log, one record after the other, so that a person may interrupt the reading. The content of a log is
// untrusted text.

import { setImmediate } from "node:timers/promises";
import { type Verdict, type VerifiedRecord, verifyRecords } from "../../../engine/processes/audit/verify.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { World } from "../../host/world.ts";
import { type LogSource, useLog } from "./log-source.ts";

/** Number of records to read before checking for Ctrl-C. */
const RECORDS_AT_A_TIME = 500;

/** Verifies a log of any length. Returns `undefined` if the user interrupts. */
export function read(
  log: LogSource,
  { interrupted }: Pick<World, "interrupted">,
  each: (found: VerifiedRecord) => void,
): Promise<Verdict | undefined> {
  return useLog(log, async (bytes) => {
    const steps = verifyRecords(bytes);
    for (let count = 1; ; count += 1) {
      const step = steps.next();
      if (step.done === true) return step.value;
      each(step.value);
      if (count % RECORDS_AT_A_TIME === 0) await setImmediate();
      if (interrupted.aborted) return undefined;
    }
  });
}

/** Escapes each line, so that the text of a record cannot begin a new line or move the cursor. */
export function renderLines(lines: readonly string[]): string {
  return lines.map((line) => `${escapeInvisible(line)}\n`).join("");
}

/** Returns where and how a log is damaged, or `undefined` if it is not damaged. */
export function describeDamage({ fault }: Verdict): string | undefined {
  return fault && `damaged at byte ${fault.offset}, where record ${fault.sequence} belongs: ${fault.reason}`;
}
