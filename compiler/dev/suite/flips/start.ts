// Reads from an image the parameters with which a machine starts it.

import { Manifest, Trust } from "../../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage, encodeMessage } from "../../../../engine/lib/wire/index.ts";
import { IMAGE_PATHS } from "../../../../targets/contract/artifact.ts";
import { listIso, type ReadAt } from "../../../artefacts/inspect/iso-reader.ts";
import { readTrust } from "../../../artefacts/inspect/trust.ts";
import type { Trees } from "./structures.ts";

/** Block size in bytes of a hash tree and of its content. */
const BLOCK = 4096;

interface Start {
  /** Keys that the initrd of the image trusts, as an encoded message. */
  readonly trust: Uint8Array;
  /** Command line of the image's kernel. */
  readonly commandLine: string;
  readonly trees: Trees;
  readonly manifest: Manifest;
}

/** Reads the parameters of a start from an image. Throws if the file is not an image of capc. */
export function startOf(readAt: ReadAt, size: number): Start {
  const listing = listIso(readAt, size);
  if (!listing.ok) throw new Error(listing.reason);
  const readImageFile = (path: string): Uint8Array => {
    const file = listing.files.find((each) => each.path === path);
    if (file === undefined) throw new Error(`the image has no ${path}`);
    return readAt(file.offset, file.size);
  };
  const manifest = decodeMessage(Manifest, readImageFile(IMAGE_PATHS.manifest));
  const trust = readTrust(readImageFile(IMAGE_PATHS.initrd));
  if (!manifest.ok || trust === undefined) throw new Error("the image has no manifest, or no trust.bin");
  return {
    trust: encodeMessage(Trust, trust),
    commandLine: manifest.value.kernelParameters.join(" "),
    trees: locateTrees(manifest.value),
    manifest: manifest.value,
  };
}

/** Returns the offset of the hash tree in each file that has one: after the last block of the content. */
function locateTrees({ root, artefacts }: Manifest): Trees {
  const treed = [root, ...artefacts].filter(({ verity }) => verity.contentBytes > 0n);
  return new Map(treed.map(({ path, verity }) => [path, Math.ceil(Number(verity.contentBytes) / BLOCK) * BLOCK]));
}
