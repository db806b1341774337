// Installs Debian packages: it asks on a terminal, uses sudo only if necessary, and otherwise prints the command for an
// administrator.

import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { Refusal } from "./refusal.mjs";

export async function installPackages(packages, purpose) {
  const names = packages.map(({ name }) => name);
  const install = ["apt-get", "install", "-y", "--no-install-recommends", ...packages.map(wordOf)];
  const needs = `${purpose === "run" ? "running an image needs" : "the tests need"} ${names.join(", ")}`;
  if (!starts(["apt-get", "--version"])) throw new Refusal(`${needs}; there is no apt-get here to install them with`);
  const before = rightsToInstall();
  if (before === undefined) throw new Refusal(`${needs}; an administrator may type:\n  ${install.join(" ")}`);
  if (process.stdin.isTTY && !(await agrees(`${needs}. Run \`${[...before, ...install].join(" ")}\`? [Y/n] `)))
    throw new Refusal(`${needs}; to install them by hand:\n  ${install.join(" ")}`);
  // A new machine has no package lists, or old lists. So the lists are updated after the first failure.
  const done =
    apt([...before, ...install]) ||
    (apt([...before, "apt-get", "update"]) && apt([...before, ...install])) ||
    withoutPins(packages, before);
  if (!done) throw new Refusal(`apt-get failed (its words are above); to try by hand:\n  ${install.join(" ")}`);
}

/**
 * Installs the available versions if the archives lack a pinned version, and prints a warning. Returns whether the
 * installation succeeded.
 */
function withoutPins(packages, before) {
  const pinned = packages.filter(({ version }) => version !== undefined);
  if (pinned.length === 0) return false;
  process.stderr.write(
    `capc set-up: trying without ${pinned.map(wordOf).join(", ")}: with another version the committed programs are ` +
      "built and tested, and cannot be compared byte for byte\n",
  );
  return apt([...before, "apt-get", "install", "-y", "--no-install-recommends", ...packages.map(({ name }) => name)]);
}

/** Returns a package and its pinned version as an argument of apt-get. */
const wordOf = ({ name, version }) => (version === undefined ? name : `${name}=${version}`);

/**
 * Returns the command to put before apt-get: none for root, otherwise `sudo`. Returns `undefined` if the user is not
 * root and `sudo` cannot be used.
 */
function rightsToInstall() {
  if (process.getuid() === 0) return [];
  // Without a terminal, no one can type a password.
  const asks = process.stdin.isTTY ? ["sudo", "--version"] : ["sudo", "-n", "true"];
  return starts(asks) ? ["sudo"] : undefined;
}

function starts([program, ...rest]) {
  return spawnSync(program, rest, { stdio: "ignore" }).status === 0;
}

/** Asks a question, and returns whether the answer is `y` or empty; the end of the input means no. */
async function agrees(question) {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise((resolve) => {
    line.once("close", () => resolve("no"));
    line.question(`capc set-up: ${question}`, resolve);
  });
  line.close();
  return /^(y|yes|)$/i.test(answer.trim());
}

function apt(command) {
  process.stderr.write(`capc set-up: ${command.join(" ")}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // sudo drops DEBIAN_FRONTEND. This does no harm: the variable matters only for packages that ask questions, and none
  // of these packages does.
  return spawnSync(command[0], command.slice(1), { stdio: ["inherit", 2, 2], env }).status === 0;
}
