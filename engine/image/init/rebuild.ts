// Builds capos-init, capos-console and capos-host again and compares them with the committed ones.
//
//   node engine/image/init/rebuild.ts           with the same toolchain, the bytes must be equal. Another toolchain cannot give
//                                         the same bytes: then the build and its tests must succeed, and the output says so.
//   node engine/image/init/rebuild.ts --write   copies the build into engine/prebuilt and inputs.lock.
//
// Exits with 0, or with 1 and the reason.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkCrateLists } from "./crates.ts";
import {
  describeToolchainDrift,
  findToolchain,
  makeCargoEnvironment,
  readLockedVersions,
  type Toolchain,
} from "./toolchain.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const CRATE = join(CHECKOUT, "engine/image/init");
const OUTPUT = join(CRATE, "target/rebuild");
const PROGRAMS = ["capos-init", "capos-console", "capos-host"];

/**
 * Returns compiler flags that remove paths of this machine from the programs, so that the same sources give the same
 * bytes in any folder.
 */
function makeCompilerFlags(): string {
  const cargoHome = process.env["CARGO_HOME"] ?? join(homedir(), ".cargo");
  const renamed = [
    [CRATE, "/capos"],
    [OUTPUT, "/output"],
    [cargoHome, "/cargo"],
  ].map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
  return ["-Ctarget-feature=+crt-static", ...renamed].join("\x1f");
}

function callCargo(
  toolchain: Toolchain,
  words: readonly string[],
  more: Readonly<Record<string, string>> = {},
): boolean {
  const env = makeCargoEnvironment(more);
  return spawnSync(toolchain.cargo, words, { cwd: CRATE, stdio: ["ignore", "inherit", "inherit"], env }).status === 0;
}

function build(toolchain: Toolchain): boolean {
  const words = ["build", "--release", "--locked", "--target", "x86_64-unknown-linux-gnu", "--target-dir", OUTPUT];
  return callCargo(toolchain, words, { CARGO_ENCODED_RUSTFLAGS: makeCompilerFlags(), CARGO_INCREMENTAL: "0" });
}

const locateBuiltProgram = (name: string): string => join(OUTPUT, "x86_64-unknown-linux-gnu/release", name);
const locateCommittedProgram = (name: string): string => join(CHECKOUT, "engine/prebuilt/init", name);

function findDifferingPrograms(): string[] {
  return PROGRAMS.filter(
    (name) => !readFileSync(locateBuiltProgram(name)).equals(readFileSync(locateCommittedProgram(name))),
  );
}

/**
 * Fields of engine/image/rootfs/inputs.lock that this module reads. The module rewrites only the entries of the project's
 * own programs and of their toolchain.
 */
interface Lock {
  readonly files: readonly { readonly name: string }[];
}

const LOCK = join(CHECKOUT, "engine/image/rootfs/inputs.lock");
const readLock = (): Lock => JSON.parse(readFileSync(LOCK, "utf8"));

function adopt(toolchain: Toolchain): void {
  const lock = readLock();
  mkdirSync(dirname(locateCommittedProgram("")), { recursive: true });
  const own = PROGRAMS.map((name) => {
    copyFileSync(locateBuiltProgram(name), locateCommittedProgram(name));
    chmodSync(locateCommittedProgram(name), 0o755);
    const sha256 = createHash("sha256")
      .update(readFileSync(locateCommittedProgram(name)))
      .digest("hex");
    return {
      name: `init/${name}`,
      package: "capos-init",
      version: "0.1.0",
      source: "engine/image/init",
      sha256,
      licence: "MIT",
    };
  });
  const others = lock.files.filter(({ name }) => !name.startsWith("init/"));
  const files = [...others, ...own].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  writeFileSync(LOCK, `${JSON.stringify({ ...lock, toolchain: toolchain.versions, files }, undefined, 2)}\n`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function main(): number {
  const toolchain = findToolchain();
  if (toolchain === undefined) {
    say("rustc is not installed (Debian packages rustc-web and cargo-web)");
    return 1;
  }
  if (!build(toolchain)) return 1;
  if (process.argv.includes("--write")) {
    adopt(toolchain);
    return 0;
  }
  const otherCrates = checkCrateLists();
  if (otherCrates !== undefined) {
    say(otherCrates);
    return 1;
  }
  const moved = describeToolchainDrift(readLockedVersions(), toolchain.versions);
  const different = findDifferingPrograms();
  if (different.length === 0) {
    say("the committed programs are what their sources give, byte for byte");
    return 0;
  }
  for (const sentence of moved) say(sentence);
  if (moved.length === 0) {
    say(`${different.join(" and ")}: built from these sources with the same toolchain, the bytes differ`);
    return 1;
  }
  say("the bytes cannot be compared with this toolchain; the sources build, and their tests are run instead");
  return callCargo(toolchain, ["test", "--locked"]) ? 0 : 1;
}

process.exitCode = main();
