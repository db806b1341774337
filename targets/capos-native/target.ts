// Builds upstream's boot manifest from a checked policy, with the list of the parts of the page that the manifest cannot express.

import type { Policy } from "../contract/policy.ts";
import type { SmallFile } from "./boot-tree.ts";
import { collectLosses, type Loss } from "./losses.ts";
import {
  createUpstreamManifest,
  encodeUpstreamManifest,
  MANY_UPSTREAM_BYTES,
  MOST_UPSTREAM_BYTES,
} from "./manifest.ts";

type Native =
  | {
      readonly ok: true;
      /** The manifest, for the output folder; a loader passes it to the kernel unchanged. */
      readonly manifest: SmallFile;
      readonly losses: readonly Loss[];
      /** Reason why older kernels of upstream refuse the manifest. */
      readonly warning?: string;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Length of a manifest that upstream's kernel would refuse. */
      readonly bytes: number;
    };

/** Builds the manifest. `tables` are the bytes of tables.bin. */
export function buildNative(policy: Policy, tables: Uint8Array): Native {
  const bytes = encodeUpstreamManifest(createUpstreamManifest(policy, tables));
  const size = `the manifest with its programs has ${bytes.length} bytes`;
  if (bytes.length > MOST_UPSTREAM_BYTES)
    return {
      ok: false,
      bytes: bytes.length,
      reason: `${size}, and upstream's kernel takes ${MOST_UPSTREAM_BYTES}: make the programs smaller`,
    };
  const isMany = bytes.length > MANY_UPSTREAM_BYTES;
  return {
    ok: true,
    manifest: { path: "manifest.bin", bytes },
    losses: collectLosses(policy),
    ...(isMany && { warning: `${size}: kernels of upstream's before 0.1.0 take ${MANY_UPSTREAM_BYTES}` }),
  };
}
