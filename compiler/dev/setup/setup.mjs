// `node compiler/dev/setup/setup.mjs PURPOSE` installs the packages that this computer needs for PURPOSE: `run`, `test`
// or `images`. With `check` it installs only npm packages. A second argument, for tests, names the folders to search
// for programs in place of Debian's folders. It needs only Node 20 and npm, and installs only missing packages. If it
// fails, it exits with status 3 and one message. It builds nothing, and creates only the keys for the examples'
// principals and the link node_modules/.bin/capc.

import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "./debian.mjs";
import { makeExampleKeys } from "./example-keys.mjs";
import { linkCapc } from "./link.mjs";
import { installModules, modulesAreCurrent } from "./modules.mjs";
import { missingPackages, PURPOSES } from "./needs.mjs";
import { Refusal } from "./refusal.mjs";

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");

async function setUp(purpose, places) {
  if (![...PURPOSES, "check"].includes(purpose)) throw new Refusal("use: setup.mjs run|test|images|check", 2);
  if (Number(process.versions.node.split(".")[0]) < 20)
    throw new Refusal(`Node 20 or newer is needed, this is ${process.versions.node}`);
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Refusal(`only Linux on x86-64 is supported so far, this is ${process.platform} on ${process.arch}`);
  if (!modulesAreCurrent(checkout, purpose)) installModules(checkout, purpose);
  linkCapc(checkout);
  if (purpose === "check") return;
  const packages = missingPackages(purpose, places);
  if (packages.length > 0) await installPackages(packages, purpose);
  makeExampleKeys(checkout);
}

try {
  await setUp(process.argv[2], process.argv[3]);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`capc set-up: ${error.message}\n`);
  process.exitCode = error.status;
}
