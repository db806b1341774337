// Writes limine.conf: the files that Limine loads, and their digests. The options have the names that Limine 8 and later use.

import { createHash } from "node:crypto";
import { IMAGE_PATHS, LIMINE_PATHS } from "../contract/artifact.ts";

interface LimineEntry {
  readonly systemId: string;
  readonly version: string;
  readonly kernel: Uint8Array;
  readonly manifest: Uint8Array;
}

/** Maximum characters of a title that Limine reads. */
const MOST_TITLE = 60;

/**
 * Returns the text of limine.conf. The text has one entry, which starts at once: no menu, no wait, and no editor with which a person at the
 * machine could change the entry. Limine stops if the digest of a file differs from the digest in the text. The digests do not protect
 * against a person who can write to the medium, because that person can also change the digests in this unsigned file. The kernel's path is
 * given twice, because Limine up to version 8 knows only `kernel_path`, and later versions use `path`. There is one module, because
 * upstream's kernel refuses any other number of modules.
 */
export function renderLimineConf({ systemId, version, kernel, manifest }: LimineEntry): string {
  const kernelPath = renderPath(LIMINE_PATHS.kernel, kernel);
  return [
    "timeout: 0",
    "editor_enabled: no",
    "hash_mismatch_panic: yes",
    "",
    `/${`${systemId} ${version}`.slice(0, MOST_TITLE)}`,
    "    protocol: limine",
    `    path: ${kernelPath}`,
    `    kernel_path: ${kernelPath}`,
    `    module_path: ${renderPath(IMAGE_PATHS.manifest, manifest)}`,
    "",
  ].join("\n");
}

/**
 * Returns a path on the volume that contains limine.conf, followed by the BLAKE2b digest of `bytes`, the content of the file at this path.
 */
function renderPath(path: string, bytes: Uint8Array): string {
  return `boot():${path}#${createHash("blake2b512").update(bytes).digest("hex")}`;
}
