// Runs in the thread of resident.ts.

import { parentPort } from "node:worker_threads";
import { init, runBaseTests, setupEnvironment } from "vitest/worker";

/** Functions of Vitest that receive each message of the main thread during the current run. */
const listeners = new Set();
parentPort.on("message", (message) => {
  for (const listener of [...listeners]) listener(message);
});

/** Removes the modules whose state belongs to the previous mutant. */
function forget({ evaluatedModules }) {
  for (const [file, modules] of evaluatedModules.fileToModulesMap) {
    if (file.includes("/compiler/dev/fixtures/"))
      for (const module of modules) evaluatedModules.invalidateModule(module);
  }
}

function begin() {
  init({
    post: (response) => parentPort.postMessage(response),
    on: (callback) => listeners.add(callback),
    off: (callback) => listeners.delete(callback),
    teardown() {
      listeners.clear();
      begin();
    },
    runTests: (state, traces) => runBaseTests("run", state, traces),
    collectTests: (state, traces) => runBaseTests("collect", state, traces),
    setup: setupEnvironment,
    onModuleRunner: forget,
  });
}

begin();
