import { Worker } from "node:worker_threads";
import type { PoolRunnerInitializer, PoolWorker } from "vitest/node";

// A pool of one thread that outlives Vitest's runs. Stryker asks for a run per mutant, and Vitest's own pools begin each
// with a new thread that reads every module again: a second, for tests that take milliseconds. Stryker switches mutants on and
// off by a variable, so the modules of the last run can be used again.

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

/** Value for `poolRunner` of a Vitest configuration. */
export const resident: PoolRunnerInitializer = { name: "resident", createPoolWorker: runOf };
