import { createHash } from "node:crypto";
import type { Blob } from "../../engine/lib/wire/generated/manifest.ts";
import { CHECKED_WHOLE } from "../contract/artifact.ts";

/** Returns a small blob, which is digested as a whole at the start. */
export function createBlob(name: string, path: string, bytes: Uint8Array): Blob {
  return {
    name,
    path,
    size: BigInt(bytes.length),
    sha256: createHash("sha256").update(bytes).digest(),
    verity: CHECKED_WHOLE,
    card: "",
  };
}
