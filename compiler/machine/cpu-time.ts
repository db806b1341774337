// Reads CPU time as Linux counts it. On a shared machine, other clocks differ between runs.

import { readdirSync, readFileSync } from "node:fs";

/** Number of ticks in a second: in /proc, Linux states times in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const NANOSECONDS_PER_SECOND = 1e9;

/**
 * Returns the CPU seconds of a process and of all its descendants, running or ended; `undefined` if the process itself
 * has ended.
 */
export function readCpuSeconds(pid: number | undefined): number | undefined {
  const own = readSeconds(`/proc/${pid}/stat`, [...OWN, ...CHILDREN]);
  if (own === undefined) return undefined;
  return own + listChildren(pid).reduce((sum, child) => sum + (readCpuSeconds(child) ?? 0), 0);
}

function listChildren(pid: number | undefined): readonly number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8"));
    return lists.flatMap((list) =>
      list
        .split(" ")
        .filter((word) => word !== "")
        .map(Number),
    );
  } catch {
    return [];
  }
}

/**
 * Returns the seconds for which a process was ready but waited for a processor, counted for its thread that waited longest. Returns
 * 0 if Linux does not count them, or the process has ended.
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

/** Returns the CPU seconds of all ended child processes of this one, and of their children. */
export function readChildrenCpuSeconds(): number {
  return readSeconds("/proc/self/stat", CHILDREN) ?? 0;
}

/**
 * Indexes of user and system time among the fields after the program's name. Fields before them do not count, because
 * the name may contain any characters.
 */
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
