import { Worker } from "node:worker_threads";
import type { PoolRunnerInitializer, PoolWorker } from "vitest/node";

// Implements a pool of one thread that continues to exist between Vitest's runs. Stryker requests a run for each
// mutant. Vitest's own pools begin each run with a new thread that loads every module again, which takes a second for
// tests of milliseconds. Stryker activates mutants by a variable, so the modules of the last run can be reused.

let thread: Worker | undefined;

/** Returns a worker that Vitest starts and stops for each run; the thread survives the stop. */
function runOf({ env, execArgv }: Parameters<PoolRunnerInitializer["createPoolWorker"]>[0]): PoolWorker {
  thread ??= new Worker(new URL("resident-thread.mjs", import.meta.url), { env: env as NodeJS.ProcessEnv, execArgv });
  const running = thread;
  const heard: (() => void)[] = [];
  return {
    name: "resident",
    on(event, callback) {
      running.on(event, callback);
      heard.push(() => running.off(event, callback));
    },
    off: (event, callback) => void running.off(event, callback),
    send: (message) => running.postMessage(message),
    deserialize: (message) => message,
    start: async () => {},
    stop: async () => {
      for (const leave of heard) leave();
    },
  };
}

/** Value for `poolRunner` in a Vitest configuration. */
export const resident: PoolRunnerInitializer = { name: "resident", createPoolWorker: runOf };
