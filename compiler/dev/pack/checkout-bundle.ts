// Bundles the command line of a checkout into a few JavaScript files below build/, and stores the digest of every
// source beside them. The launcher compares all digests at each start, so that no run uses an outdated bundle.

import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Path from the files of a bundle to the checkout. */
const ROOT = "../../../../";

/** Description of the bundle, which the launcher reads. */
interface Made {
  /** The folder of the bundle, below build/bundles. */
  readonly folder: string;
  /** SHA-256 of each source, by its path relative to the checkout. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Makes the bundle, unless a bundle of exactly the current sources exists. */
export async function bundleBeside(checkout: string): Promise<void> {
  const bundles = join(checkout, "build/bundles");
  const before = readMadeBefore(bundles);
  if (before !== undefined && isOfThese(checkout, before)) return;
  // The module is loaded late, because it is not needed if no source has changed.
  const { writeBundleBeside } = await import("./bundle.ts");
  mkdirSync(bundles, { recursive: true });
  const fresh = mkdtempSync(join(bundles, ".making-"));
  try {
    const read = await writeBundleBeside(checkout, fresh, ROOT);
    const texts = [...read].sort(([left], [right]) => (left < right ? -1 : 1));
    const sources = Object.fromEntries(texts.map(([path, text]) => [path, computeSha256(text)]));
    const folder = computeSha256(JSON.stringify(sources));
    // One user may set up a checkout for other users, but only the owner can read a temporary folder. So the other
    // users get the right to read this folder.
    chmodSync(fresh, 0o777 & ~process.umask());
    if (!existsSync(join(bundles, folder))) renameSync(fresh, join(bundles, folder));
    write(bundles, { folder, sources });
    removeOthers(bundles, [folder, before?.folder]);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function computeSha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function readMadeBefore(bundles: string): Made | undefined {
  const path = join(bundles, "made.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Made) : undefined;
}

function isOfThese(checkout: string, { sources }: Made): boolean {
  return Object.entries(sources).every(([path, digest]) => {
    const file = join(checkout, path);
    return existsSync(file) && computeSha256(readFileSync(file)) === digest;
  });
}

/** Writes made.json atomically: a launcher reads either the old text or the new text. */
function write(bundles: string, made: Made): void {
  const draft = join(bundles, `.made-${process.pid}.json`);
  writeFileSync(draft, JSON.stringify(made));
  renameSync(draft, join(bundles, "made.json"));
}

/** Removes old bundles. The previous bundle is among `kept`, because it may still be running and load further files. */
function removeOthers(bundles: string, kept: readonly (string | undefined)[]): void {
  const names = readdirSync(bundles).filter((name) => /^[0-9a-f]{64}$/.test(name) && !kept.includes(name));
  for (const name of names) rmSync(join(bundles, name), { recursive: true });
}
