// Renders limine.conf, which lists the files that Limine loads and their digests. Option names are those of Limine 8 and later.

import { createHash } from "node:crypto";
import { IMAGE_PATHS, LIMINE_PATHS } from "../contract/artifact.ts";

interface LimineEntry {
  readonly systemId: string;
  readonly version: string;
  readonly kernel: Uint8Array;
  readonly manifest: Uint8Array;
}

/** Maximum number of characters that Limine reads of a title. */
const MOST_TITLE = 60;

/**
 * Returns the text of limine.conf. It has one entry, which starts at once, without a menu or a delay. A person at the
 * machine cannot edit the entry.
 *
 * Limine stops if a file was changed. This does not protect against an attacker who can write to the medium. They can
 * change the digest too, because this file is not signed.
 *
 * The kernel's path is given twice. Limine up to version 8 only knows `kernel_path`; later versions use `path`, and
 * accept `kernel_path` as well. There is exactly one module, because upstream's kernel refuses any other number.
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

/** Returns a path on the volume of this file, followed by the BLAKE2b of the file's content. */
function renderPath(path: string, bytes: Uint8Array): string {
  return `boot():${path}#${createHash("blake2b512").update(bytes).digest("hex")}`;
}
