// Makes the keys that the pages of examples name for their principals. Only this checkout needs the private halves, so
// they are made here and never committed.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { Refusal } from "./refusal.mjs";

/** Matches a page's reference to a public key, for which the set-up makes a key pair. */
const NAMED = /"keys\/([A-Za-z][\w-]*)\.pub"/g;

/**
 * Makes each key pair whose public half is missing. Existing keys are not changed, because they may belong to a person.
 */
export function makeExampleKeys(checkout) {
  for (const page of pages(checkout)) {
    const names = [...readFileSync(page, "utf8").matchAll(NAMED)].map(([, name]) => name);
    for (const name of new Set(names)) makePair(checkout, join(dirname(page), "keys", name), name);
  }
}

/** Returns the paths of the examples' pages. It uses no glob, because Node.js 20 has none. */
function pages(checkout) {
  const examples = join(checkout, "examples");
  if (!existsSync(examples)) return [];
  return readdirSync(examples)
    .sort()
    .map((name) => join(examples, name, "system.cap"))
    .filter((page) => existsSync(page));
}

function makePair(checkout, key, name) {
  if (existsSync(`${key}.pub`)) return;
  if (existsSync(key))
    throw new Refusal(
      `${key} is there without ${name}.pub; write that again with: ssh-keygen -y -f ${key} > ${key}.pub`,
    );
  // All users may read the public halves, because one user may set up a checkout for others. ssh-keygen lets only the
  // owner read the private halves.
  mkdirSync(dirname(key), { recursive: true, mode: 0o755 });
  const words = ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", key];
  const { error, status } = spawnSync("ssh-keygen", words, { stdio: ["ignore", 2, 2] });
  if (error !== undefined) throw new Refusal(`ssh-keygen could not be started: ${error.message}`);
  if (status !== 0) throw new Refusal(`ssh-keygen could not make ${key} (its words are above)`);
  process.stderr.write(`capc set-up: ${name}'s key for step-up is ${relative(checkout, key)}\n`);
}
