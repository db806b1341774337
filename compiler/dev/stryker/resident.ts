import { Worker } from "node:worker_threads";
import type { PoolRunnerInitializer, PoolWorker } from "vitest/node";

// A pool of one thread that outlives Vitest's runs. Stryker requests a run for each mutant. Each of Vitest's own pools
// starts a new thread, which loads every module again. This takes a second for tests that take a few milliseconds.
// Stryker turns mutants on and off with a variable, so the loaded modules can be used again.

let thread: Worker | undefined;

/** Returns a worker that Vitest starts and stops for each run. The thread continues after a stop. */
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

/** Value for `poolRunner` of a Vitest configuration. */
export const resident: PoolRunnerInitializer = { name: "resident", createPoolWorker: runOf };
