// The sources of xorriso: archives of Debian, which are verified by digests, and our patches. The archives come from the mirror that apt
// uses on this machine, or from a folder.

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

/** An entry of sources.json. The entry also names Debian's additions to the archive, which are not used. */
interface Source {
  readonly source: string;
  readonly version: string;
  /** Folder to which the archive unpacks. */
  readonly folder: string;
  readonly description: Archive;
  readonly archive: Archive;
}

const SOURCES: readonly Source[] = JSON.parse(readFileSync(join(PACKAGE, "sources.json"), "utf8"));

export function computeSha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Unpacks and patches all sources below `folder`. Throws if an archive differs from sources.json. If the folder `from` is given, it must
 * contain the archives.
 */
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

/** Downloads the archives with apt from the system's mirrors. apt works in a separate folder, so that the system's lists stay unchanged. */
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
  // The .dsc and the .orig.tar.gz are downloaded separately, without Debian's own changes, which are not needed and may be missing on a
  // mirror.
  for (const kind of ["--dsc-only", "--tar-only"])
    run("apt-get", [...settings, "-q", "source", "--download-only", kind, ...wanted], folder);
  return folder;
}

/** Returns a line for each source from which this machine installs Debian packages. */
function listMirrors(folder: string): string {
  const form =
    "$(ORIGIN)|deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)";
  const listed = run("apt-get", ["indextargets", "--format", form, "Created-By: Packages"], folder);
  const lines = listed.split("\n").filter((line) => line.startsWith("Debian|"));
  if (lines.length === 0)
    throw new Refusal("apt knows no mirror of Debian (are its lists empty? apt-get update fills them)");
  return `${[...new Set(lines.map((line) => line.slice("Debian|".length)))].join("\n")}\n`;
}
