// CPU time as Linux counts it. Other clocks differ from run to run where a machine is shared.

import { readdirSync, readFileSync } from "node:fs";

/** Linux counts in hundredths of a second for every program that reads /proc. */
const TICKS_PER_SECOND = 100;
const NANOSECONDS_PER_SECOND = 1e9;

/** CPU seconds of a process itself; nothing once it is gone. */
export function readCpuSeconds(pid: number | undefined): number | undefined {
  return readSeconds(`/proc/${pid}/stat`, OWN);
}

/**
 * Seconds for which a process would have run and others had the processors: of the thread that waited longest. 0 where Linux does
 * not count them, and once the process is gone.
 */
export function readWaitedSeconds(pid: number | undefined): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const waited = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[1]);
    return Math.max(0, ...waited.map(Number)) / NANOSECONDS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** CPU seconds of all programs that this one has started and seen the end of, theirs included. */
export function readChildrenCpuSeconds(): number {
  return readSeconds("/proc/self/stat", CHILDREN) ?? 0;
}

/** Indexes of user and system time among the fields after the program's name, which may contain any characters. */
const OWN = [11, 12] as const;
const CHILDREN = [13, 14] as const;

function readSeconds(path: string, fields: readonly number[]): number | undefined {
  try {
    const behindName = readFileSync(path, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields.reduce((sum, field) => sum + Number(behindName[field]), 0) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
