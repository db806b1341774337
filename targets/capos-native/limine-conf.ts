// limine.conf: what Limine loads, and the digests that it loads it by. The names of options are those of Limine 8 and later.

import { createHash } from "node:crypto";
import { IMAGE_PATHS, LIMINE_PATHS } from "../contract/artifact.ts";

interface LimineEntry {
  readonly systemId: string;
  readonly version: string;
  readonly kernel: Uint8Array;
  readonly manifest: Uint8Array;
}

/** Limine reads so much of a title. */
const MOST_TITLE = 60;

/**
 * - One entry, which starts at once: no menu, no wait, and no editor in which somebody at the machine would change it.
 * - A file that is another one stops the start. Who can write to the medium writes another digest, too: nobody signs this file.
 * - The kernel's path stands twice: Limine up to 8 knows `kernel_path` alone, later ones say `path`, and take the first for it.
 * - One module: upstream's kernel refuses any other number of them.
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

/** On the volume that this file lies on, behind it the BLAKE2b of what lies there. */
function renderPath(path: string, bytes: Uint8Array): string {
  return `boot():${path}#${createHash("blake2b512").update(bytes).digest("hex")}`;
}
