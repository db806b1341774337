// Runs a command again when the content of a file that it read has changed. A file system event only triggers a
// comparison of the bytes. So no polling is needed, and no change between two runs is missed.

import { existsSync, type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import type { ExitStatus, World } from "../host/world.ts";
import type { Option } from "./command.ts";
import type { Readings } from "./recording-host.ts";

/** The option `--watch` of the commands that check pages: `check`, `lint` and `test`. */
export const WATCH_OPTION: Option = {
  name: "watch",
  does: "run again when a file changes, until Ctrl-C",
};

/** Result of one run, and all files that it read. */
export interface RunResult {
  readonly status: ExitStatus;
  readonly readings: readonly Readings[];
}

/** Repeats a command on changes. Returns 0 when the user stops it. Returns at once if the first run could not begin. */
export async function watchAndRun(name: string, once: () => Promise<RunResult>, world: World): Promise<ExitStatus> {
  for (let first = true; ; first = false) {
    const { status, readings } = await once();
    if (first && (status === 2 || status === 3)) return status;
    const count = new Set(readings.flatMap(({ paths }) => paths())).size;
    world.report(`capc ${name}: watching ${count} ${count === 1 ? "file" : "files"}; Ctrl-C ends it\n`);
    if (!(await waitForChange(readings, world.interrupted))) return 0;
  }
}

/** Resolves to true as soon as a read file has changed, and to false if a person ends the wait. */
export async function waitForChange(readings: readonly Readings[], interrupted: AbortSignal): Promise<boolean> {
  const woken = createWaker();
  const folders = new Set(readings.flatMap(({ paths }) => paths()).map(findFolder));
  const watchers = [...folders].map((folder) => watchFolder(folder, woken.wake));
  interrupted.addEventListener("abort", woken.wake);
  try {
    // The first comparison happens after the watchers are set up: it finds earlier changes, and later changes trigger
    // an event.
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

/** Watches the folder of a file and not the file, because editors replace the old file with a new one. */
function watchFolder(folder: string, wake: () => void): FSWatcher {
  const watcher = watch(folder, wake);
  // A removed folder triggers an event, and the next comparison finds the change.
  watcher.on("error", wake);
  return watcher;
}

function findFolder(path: string): string {
  const folder = dirname(path);
  return folder === path || existsSync(folder) ? folder : findFolder(folder);
}

/**
 * Returns two functions: `next` returns a promise that resolves after a call of `wake`. If `wake` was called before
 * `next`, the promise resolves at once.
 */
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
