import type { Item, Words } from "../../../lang/tree/index.ts";

/** A file that a page names, except pages: a public key, canned replies, or the program of a service. */
export interface Asset {
  /** Path relative to the folder of the root page. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

export const MAX_ASSET_BYTES = 1024 * 1024;

/** A file name on a page, and advice on how to create the file if it is missing; `undefined` if there is none. */
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

/** Returns the file names of the models' weights. */
export function collectWeights(items: readonly Item[]): Words[] {
  return items.flatMap((item) => {
    if (item.kind === "system") return collectWeights(item.items);
    if (item.kind !== "model") return [];
    return item.attributes.flatMap((attribute) => (attribute.kind === "weights" ? [attribute.path] : []));
  });
}

/**
 * Returns a command that creates a missing key. Returns no command for a name that a shell would split, or to which ssh-keygen would not
 * add .pub, because the command would be wrong.
 */
function describeMaking(path: string): string {
  const [, file, folder] = /^(?!-)((?:([\w./-]+)\/)?[\w.-]+)\.pub$/.exec(path) ?? [];
  if (file === undefined) return "make it with `ssh-keygen -t ed25519`, and name the file that ends in .pub";
  const made = folder === undefined ? "" : `mkdir -p ${folder} && `;
  return `make it in the folder of the page with \`${made}ssh-keygen -t ed25519 -f ${file}\``;
}
