// Reads and writes inputs.lock, which lists the files of the image that are not built from this repository's sources at
// each build: every file of engine/prebuilt, and Node.js.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** A third-party file, or a file that was built from the sources of this repository. */
export interface Input {
  /** Path below engine/prebuilt, or below the checkout for files from npm. */
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Source package and its version, with which the corresponding source can be found. */
  readonly source: string;
  readonly sha256: string;
  readonly licence: string;
}

interface InputsLock {
  readonly format: 1;
  /** Versions of all tools that affect the bytes of the project's own programs. */
  readonly toolchain: Readonly<Record<string, string>>;
  /** Version lines of the programs whose output becomes part of the image. */
  readonly tools: Readonly<Record<"mkfs.erofs" | "xorriso", string>>;
  /** Files in code-unit order of names. */
  readonly files: readonly Input[];
}

const LOCK = "engine/image/rootfs/inputs.lock";

export function readLock(checkout: string): InputsLock {
  return JSON.parse(readFileSync(join(checkout, LOCK), "utf8")) as InputsLock;
}

export function writeLock(checkout: string, lock: InputsLock): void {
  const files = lock.files.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  writeFileSync(join(checkout, LOCK), `${JSON.stringify({ ...lock, files }, undefined, 2)}\n`);
}

/** Returns the path of the file that has this name in the lock. */
export function placeOf(checkout: string, name: string): string {
  return name.startsWith("node_modules/")
    ? findInstalledPackage(checkout, name)
    : join(checkout, "engine/prebuilt", name);
}

/**
 * Returns the path of a file of an installed npm package. Searches where Node searches: in `node_modules` of the
 * checkout, and then of each folder around it.
 */
function findInstalledPackage(checkout: string, name: string): string {
  const file = name.replace(/^node_modules\//, "");
  const places = createRequire(join(checkout, "package.json")).resolve.paths(file) ?? [];
  return places.map((place) => join(place, file)).find((path) => existsSync(path)) ?? join(checkout, name);
}

export function computeFileSha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** A file that differs from the lock. */
interface Drift {
  readonly name: string;
  /** SHA-256 of the present file in hexadecimal; absent if the file does not exist. */
  readonly found?: string;
  readonly sentence: string;
}

/**
 * Returns the differences between the lock and the files; empty if there are none. `digest` receives the absolute path
 * of a file, and returns its SHA-256, or `undefined` if there is no file.
 */
export function findInputDrift(checkout: string, digest = digestIfThere): readonly Drift[] {
  const { files } = readLock(checkout);
  const wrong = files.flatMap(({ name, sha256 }): readonly Drift[] => {
    const found = digest(placeOf(checkout, name));
    if (found === undefined) return [{ name, sentence: `${name} is locked, but it is not there` }];
    return found === sha256 ? [] : [{ name, found, sentence: `${name} is not what the lock says: ${found}` }];
  });
  const locked = new Set(files.map(({ name }) => name));
  const unknown = listInputFiles(join(checkout, "engine/prebuilt")).filter((name) => !locked.has(name));
  return [...wrong, ...unknown.map((name) => ({ name, sentence: `${name} is not in the lock` }))];
}

function digestIfThere(path: string): string | undefined {
  try {
    return computeFileSha256(path);
  } catch {
    return undefined;
  }
}

/** Lists the input files without their documentation: READMEs and licences. */
function listInputFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".md") && !entry.parentPath.endsWith("/licences"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
