// A checked policy as upstream's boot manifest, with what it does not express.

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
      /** As in the output folder; a loader hands it to the kernel as it is. */
      readonly manifest: SmallFile;
      readonly losses: readonly Loss[];
      /** Why some kernel of upstream's may refuse it. */
      readonly warning?: string;
    }
  | {
      readonly ok: false;
      readonly reason: string;
      /** Length of the manifest that upstream's kernel would refuse. */
      readonly bytes: number;
    };

/** `tables`: bytes of tables.bin. */
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
