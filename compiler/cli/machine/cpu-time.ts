// CPU time as Linux counts it. Other clocks differ from run to run where a machine is shared.

import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second for every program that reads /proc. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of a process itself; nothing once it is gone. */
export function cpuSecondsOf(pid: number | undefined): number | undefined {
  return seconds(`/proc/${pid}/stat`, OWN);
}

/** CPU seconds of all programs that this one has started and seen the end of, theirs included. */
export function cpuSecondsOfChildren(): number {
  return seconds("/proc/self/stat", CHILDREN) ?? 0;
}

/** Where user and system time stand behind the name of the program, which may hold anything. */
const OWN = [11, 12] as const;
const CHILDREN = [13, 14] as const;

function seconds(path: string, fields: readonly number[]): number | undefined {
  try {
    const behindName = readFileSync(path, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields.reduce((sum, field) => sum + Number(behindName[field]), 0) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
