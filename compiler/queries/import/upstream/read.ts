// Reads untrusted bytes as a boot manifest. The size, the depth, the number of values and the listing have limits,
// which are checked first. Upstream's own reader has the same limits of 32 levels and 5 MiB. It ignores bytes after the
// message, but capc refuses them.

import type { Result } from "../../../../engine/lib/result/result.ts";
import { decodeMessage } from "../../../../engine/lib/wire/index.ts";
import { SystemManifest } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { mergeSegments } from "../../../../engine/lib/wire/upstream/one-segment.ts";
import { createListing, type Listing } from "./listing.ts";

/** Maximum size of a manifest, from capos-config 0.1.0 (src/validation.rs, BOOT_MANIFEST_MAX_BYTES). */
export const MOST_MANIFEST_BYTES = 5 * 1024 * 1024;
/**
 * Limits of upstream's reader (src/lib.rs, default_reader_options). A manifest of 64 services has a few thousand values.
 */
const LIMITS = { bytes: MOST_MANIFEST_BYTES, depth: 32, emptyElements: 1024, values: 65_536 };

export interface ReadManifest {
  readonly manifest: SystemManifest;
  readonly listing: Listing;
  /**
   * Paths of the structs that are present, including empty structs, because upstream distinguishes empty structs from
   * absent structs.
   */
  readonly there: readonly string[];
}

/** Reads a manifest. `name` is the manifest's name in messages. */
export function readManifest(name: string, bytes: Uint8Array): Result<ReadManifest> {
  const one = mergeSegments(bytes, MOST_MANIFEST_BYTES);
  if (!one.ok) return one;
  const decoded = decodeMessage(SystemManifest, one.value, LIMITS);
  if (!decoded.ok) return decoded;
  const listing = createListing(`${name} (as text)`, decoded.value);
  if (listing === undefined) return { ok: false, reason: "it says more than anybody could be told" };
  return { ok: true, value: { manifest: decoded.value, listing, there: findStructs(one.value) } };
}

const WORD = 8;
/**
 * Offset of the root struct, which is after the header. `OPTIONAL` lists the pointers that lead from the root to each
 * optional struct, by their index in schema/capos.capnp.
 */
const ROOT = WORD;
const KERNEL_PARAMS = 2;
const OPTIONAL: readonly (readonly [readonly number[], string])[] = [
  [[3], "$.extensionPoints"],
  [[KERNEL_PARAMS, 2], "$.kernelParams.terminalUart"],
  [[KERNEL_PARAMS, 7], "$.kernelParams.sshDevelopmentHostKey"],
  [[KERNEL_PARAMS, 15], "$.kernelParams.blockDeviceTarget"],
];

/**
 * Returns the paths of the optional structs that are present. The message has been decoded, so all of its pointers
 * point into the message.
 */
function findStructs(bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return OPTIONAL.filter(([indexes]) => isThere(view, indexes)).map(([, path]) => path);
}

function isThere(view: DataView, indexes: readonly number[]): boolean {
  let at = ROOT;
  for (const index of indexes) {
    const low = view.getInt32(at, true);
    const [dataWords, pointers] = [view.getUint16(at + 4, true), view.getUint16(at + 6, true)];
    if (index >= pointers) return false;
    at += WORD * (1 + (low >> 2) + dataWords + index);
  }
  return view.getBigUint64(at, true) !== 0n;
}
