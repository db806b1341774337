// The sources of xorriso: Debian's archives, identified by their digests, and our patches. Their origin does not matter: a mirror that
// this machine's apt uses, or a folder.

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Refusal, run } from "./programs.ts";

/** The folder of this package. */
export const PACKAGE = join(import.meta.dirname, "..");

interface Archive {
  readonly name: string;
  readonly sha256: string;
}

/** An entry of sources.json. It also names Debian's additions to the archives, which are not used. */
interface Source {
  readonly source: string;
  readonly version: string;
  /** Folder of the unpacked archive. */
  readonly folder: string;
  readonly description: Archive;
  readonly archive: Archive;
}

const SOURCES: readonly Source[] = JSON.parse(readFileSync(join(PACKAGE, "sources.json"), "utf8"));

export function computeSha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Unpacks and patches all sources below `folder`. Fails for archives that do not match sources.json. `from` may hold the archives. */
export function layOutSources(folder: string, from: string | undefined): void {
  const archives = from ?? download(join(folder, "archives"));
  for (const { description, archive } of SOURCES) {
    for (const each of [description, archive]) verify(join(archives, each.name), each.sha256);
    run("tar", ["-xzf", join(archives, archive.name)], folder);
  }
  for (const patch of globSync("patches/*.patch", { cwd: PACKAGE }).sort())
    run("patch", ["-p1", "--fuzz=0", "--no-backup-if-mismatch", "-s", "-i", join(PACKAGE, patch)], folder);
  mkdirSync(join(folder, "shims"));
  for (const shim of globSync("shims/*", { cwd: PACKAGE })) copyFileSync(join(PACKAGE, shim), join(folder, shim));
}

function verify(path: string, sha256: string): void {
  if (!existsSync(path)) throw new Refusal(`${path} is not there`);
  const found = computeSha256(readFileSync(path));
  if (found !== sha256) throw new Refusal(`${path} has the SHA-256 ${found}, and not ${sha256} as sources.json says`);
}

/**
 * Downloads with an apt that reads sources instead of programs, from the same mirrors, in a separate folder: the system's own is not
 * changed.
 */
function download(folder: string): string {
  mkdirSync(join(folder, "lists/partial"), { recursive: true });
  mkdirSync(join(folder, "cache"));
  writeFileSync(join(folder, "sources.list"), listMirrors(folder));
  const settings = [
    `Dir::Etc::SourceList=${folder}/sources.list`,
    "Dir::Etc::SourceParts=/dev/null",
    `Dir::State::Lists=${folder}/lists`,
    `Dir::Cache=${folder}/cache`,
  ].flatMap((setting) => ["-o", setting]);
  run("apt-get", [...settings, "-q", "update"], folder);
  const wanted = SOURCES.map(({ source, version }) => `${source}=${version}`);
  // Each kind separately: Debian's own changes are not needed, and a mirror may lack them.
  for (const kind of ["--dsc-only", "--tar-only"])
    run("apt-get", [...settings, "-q", "source", "--download-only", kind, ...wanted], folder);
  return folder;
}

/** Returns a line for each place from which this machine gets Debian's programs. */
function listMirrors(folder: string): string {
  const form =
    "$(ORIGIN)|deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)";
  const listed = run("apt-get", ["indextargets", "--format", form, "Created-By: Packages"], folder);
  const lines = listed.split("\n").filter((line) => line.startsWith("Debian|"));
  if (lines.length === 0)
    throw new Refusal("apt knows no mirror of Debian (are its lists empty? apt-get update fills them)");
  return `${[...new Set(lines.map((line) => line.slice("Debian|".length)))].join("\n")}\n`;
}
