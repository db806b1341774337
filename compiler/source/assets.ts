import type { Item, Words } from "../../lang/tree/index.ts";

/** A file that a page names beside other pages: a public key, canned replies. */
export interface Asset {
  /** Relative to the folder of the root page. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export const MAX_ASSET_BYTES = 1024 * 1024;

/** The texts of a page that name files which the target reads. */
export function assetsOf(items: readonly Item[]): Words[] {
  return items.flatMap((item) => {
    if (item.kind === "system") return assetsOf(item.items);
    if (item.kind === "backend") return item.engine?.kind === "stub" ? (item.engine.replies ?? []) : [];
    if (item.kind !== "principal") return [];
    return item.proofs.filter((proof) => proof.kind === "ssh").map((proof) => proof.value);
  });
}
