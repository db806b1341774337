// Builds the initrd, which is the kernel's first root: init, the modules that init loads, and the keys that init
// trusts. Only an initrd allows a boot that verifies files before it mounts them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type ArchiveEntry, encodeArchive } from "./cpio.ts";
import { type Machine, MODULES, PREBUILT } from "./prebuilt.ts";

export interface InitrdPlan {
  /** The folder engine/prebuilt. */
  readonly prebuilt: string;
  readonly machine: Machine;
  /** Whether the data disk is encrypted; if so, the modules for encryption are included. */
  readonly encrypted: boolean;
  /** Whether the page has a network; if so, the modules for a network card are included. */
  readonly networked: boolean;
  /** Whether the console is the screen; if so, the modules for a keyboard are included. */
  readonly screen: boolean;
  /** The bytes of trust.bin: the keys whose signatures init accepts. */
  readonly trust: Uint8Array;
  /**
   * Function to use instead of `compressReproducibly`, such as one that caches results. It must return the same bytes as that function.
   */
  readonly pack?: (archive: Uint8Array) => Buffer;
}

export function assembleInitrd({
  prebuilt,
  machine,
  encrypted,
  networked,
  screen,
  trust,
  pack = compressReproducibly,
}: InitrdPlan): Buffer {
  const readPrebuiltFile = (path: string): Buffer => readFileSync(join(prebuilt, path));
  const { first, second, sha, crypt, keys, net } = MODULES[machine];
  const asked = { ...(encrypted ? { crypt } : {}), ...(screen ? { keys } : {}), ...(networked ? { net } : {}) };
  const lists = { first, second, sha, ...asked };
  const names = [...new Set(Object.values(lists).flat())];
  const entries: ArchiveEntry[] = [
    { path: "dev", mode: 0o755 },
    { path: "init", mode: 0o755, bytes: readPrebuiltFile(PREBUILT.init) },
    { path: "modules", mode: 0o755 },
    ...Object.entries(lists).map(([list, modules]) => ({
      path: `modules/${list}`,
      mode: 0o644,
      bytes: Buffer.from(modules.map((name) => `${name}\n`).join(""), "latin1"),
    })),
    ...names.map((name) => ({
      path: `modules/${name}`,
      mode: 0o644,
      bytes: readPrebuiltFile(`${PREBUILT.modules(machine)}/${name}`),
    })),
    { path: "trust.bin", mode: 0o644, bytes: trust },
  ];
  return pack(encodeArchive(entries));
}

/**
 * Level 6 is used, because level 9 takes nine times as long to save 0.2 %. zlib of one Node.js version gives the same bytes
 * everywhere; the header's system byte is fixed, because it differs by host.
 */
export function compressReproducibly(bytes: Uint8Array): Buffer {
  const packed = gzipSync(bytes, { level: 6 });
  packed.fill(0, 4, 8);
  packed[9] = 0xff;
  return packed;
}
