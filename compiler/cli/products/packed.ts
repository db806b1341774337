// Archives that were compressed before: the slowest step of a build in which nothing but the policy changed.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { compressed } from "../../../engine/rootfs/initrd.ts";
import { placeBytes } from "../output.ts";

/** One for each machine and version that somebody goes back and forth between. */
const KEPT = 8;

/** The bytes of `compressed`, from `folder` where the same archive was compressed by the same zlib. */
export function packedIn(folder: string): (archive: Uint8Array) => Buffer {
  return (archive) => {
    const key = createHash("sha256").update(`${process.versions.zlib}\0`).update(archive).digest("hex").slice(0, 32);
    const path = join(folder, `${key}.gz`);
    const kept = keptAt(path);
    if (kept !== undefined) return kept;
    const packed = compressed(archive);
    mkdirSync(folder, { recursive: true });
    // What cannot be kept is compressed again next time.
    placeBytes(path, packed);
    prune(folder);
    return packed;
  };
}

function keptAt(path: string): Buffer | undefined {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
  const now = new Date();
  utimesSync(path, now, now);
  return readFileSync(path);
}

function prune(folder: string): void {
  const kept = readdirSync(folder)
    .filter((name) => name.endsWith(".gz"))
    .map((name) => ({ path: join(folder, name), used: statSync(join(folder, name)).mtimeMs }))
    .sort((left, right) => right.used - left.used);
  for (const { path } of kept.slice(KEPT)) rmSync(path, { force: true });
}
