// Runs a command again whenever a file that it read says something else. Events of the file system only wake us: what
// counts is whether the bytes differ, so nothing is waited for by the clock, and no event is missed between two runs.

import { existsSync, type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import type { ExitStatus, World } from "../host/world.ts";
import type { Option } from "./command.ts";
import type { Readings } from "./recording-host.ts";

/** For commands that only read. */
export const WATCH_OPTION: Option = {
  name: "watch",
  does: "run again when a file changes, until Ctrl-C",
};

/** Result of one run, and all files that it read. */
export interface RunResult {
  readonly status: ExitStatus;
  readonly readings: readonly Readings[];
}

/** Repeats a command on changes. Ends with 0 when the user ends it, and immediately if the first run could not begin. */
export async function watchAndRun(name: string, once: () => Promise<RunResult>, world: World): Promise<ExitStatus> {
  for (let first = true; ; first = false) {
    const { status, readings } = await once();
    if (first && (status === 2 || status === 3)) return status;
    const count = new Set(readings.flatMap(({ paths }) => paths())).size;
    world.report(`capc ${name}: watching ${count} ${count === 1 ? "file" : "files"}; Ctrl-C ends it\n`);
    if (!(await haveChanged(readings, world.interrupted))) return 0;
  }
}

/** True at the first difference, false when a person ends the wait. */
async function haveChanged(readings: readonly Readings[], interrupted: AbortSignal): Promise<boolean> {
  const woken = createWaker();
  const folders = new Set(readings.flatMap(({ paths }) => paths()).map(findFolder));
  const watchers = [...folders].map((folder) => watchFolder(folder, woken.wake));
  interrupted.addEventListener("abort", woken.wake);
  try {
    // The first look comes after the watchers are set: what changed before that is seen here, what changes later wakes us.
    for (;;) {
      if (interrupted.aborted) return false;
      for (const each of readings) if (await each.haveChanged()) return true;
      await woken.next();
    }
  } finally {
    interrupted.removeEventListener("abort", woken.wake);
    for (const watcher of watchers) watcher.close();
  }
}

/** Editors put a new file in the place of the old one: folders are watched, which stay. */
function watchFolder(folder: string, wake: () => void): FSWatcher {
  const watcher = watch(folder, wake);
  // A folder that goes away wakes us, and the next look says so.
  watcher.on("error", wake);
  return watcher;
}

function findFolder(path: string): string {
  const folder = dirname(path);
  return folder === path || existsSync(folder) ? folder : findFolder(folder);
}

/** `next` ends after a `wake`, also one that came before anybody waited. */
export function createWaker(): { readonly wake: () => void; readonly next: () => Promise<void> } {
  let pending = false;
  let resume = (): void => {};
  return {
    wake: () => {
      pending = true;
      resume();
    },
    next: async () => {
      await new Promise<void>((resolve) => {
        resume = resolve;
        if (pending) resolve();
      });
      pending = false;
    },
  };
}
