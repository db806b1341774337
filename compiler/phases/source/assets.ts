import type { Item, Words } from "../../../lang/tree/index.ts";

/** A file that a page names, other than a page: a public key, canned replies, the program of a service. */
export interface Asset {
  /** Path relative to the folder of the root page. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export const MAX_ASSET_BYTES = 1024 * 1024;

/** A text on the page that names a file, and the command that makes this file if it is missing. */
export interface NamedAsset {
  readonly path: Words;
  readonly remedy: string | undefined;
}

export function collectAssets(items: readonly Item[]): NamedAsset[] {
  return items.flatMap((item) => {
    if (item.kind === "system") return collectAssets(item.items);
    if (item.kind === "backend" && item.engine?.kind === "stub" && item.engine.replies !== undefined) {
      return [{ path: item.engine.replies, remedy: undefined }];
    }
    if (item.kind === "service") {
      const programs = item.attributes.filter((attribute) => attribute.kind === "exec");
      return programs.map(({ path }) => ({ path, remedy: undefined }));
    }
    if (item.kind !== "principal") return [];
    const keys = item.proofs.filter((proof) => proof.kind === "ssh").map((proof) => proof.value);
    return keys.map((path) => ({ path, remedy: describeMaking(path.value) }));
  });
}

/** Returns the texts that name the weights of models. */
export function collectWeights(items: readonly Item[]): Words[] {
  return items.flatMap((item) => {
    if (item.kind === "system") return collectWeights(item.items);
    if (item.kind !== "model") return [];
    return item.attributes.flatMap((attribute) => (attribute.kind === "weights" ? [attribute.path] : []));
  });
}

/**
 * Returns advice on how to make a missing key. It contains the full command only for a simple name that ends in `.pub`:
 * a shell would split other names, or ssh-keygen would make a file of another name.
 */
function describeMaking(path: string): string {
  const [, file, folder] = /^(?!-)((?:([\w./-]+)\/)?[\w.-]+)\.pub$/.exec(path) ?? [];
  if (file === undefined) return "make it with `ssh-keygen -t ed25519`, and name the file that ends in .pub";
  const made = folder === undefined ? "" : `mkdir -p ${folder} && `;
  return `make it in the folder of the page with \`${made}ssh-keygen -t ed25519 -f ${file}\``;
}
