// The kernel's first root: init, the modules that it loads, and the keys that it trusts. Nothing else fits a boot that
// verifies before it mounts.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type ArchiveEntry, archive } from "./cpio.ts";
import { FIRST_MODULES, PREBUILT, SECOND_MODULES } from "./prebuilt.ts";

/** `prebuilt` is the folder engine/prebuilt; `trust` the bytes of trust.bin. */
export function assembleInitrd(prebuilt: string, trust: Uint8Array): Buffer {
  const file = (path: string): Buffer => readFileSync(join(prebuilt, path));
  const list = (names: readonly string[]): Buffer => Buffer.from(names.map((name) => `${name}\n`).join(""), "latin1");
  const modules = [...FIRST_MODULES, ...SECOND_MODULES];
  const entries: ArchiveEntry[] = [
    { path: "dev", mode: 0o755 },
    { path: "init", mode: 0o755, bytes: file(PREBUILT.init) },
    { path: "modules", mode: 0o755 },
    { path: "modules/first", mode: 0o644, bytes: list(FIRST_MODULES) },
    { path: "modules/second", mode: 0o644, bytes: list(SECOND_MODULES) },
    ...modules.map((name) => ({ path: `modules/${name}`, mode: 0o644, bytes: file(`${PREBUILT.modules}/${name}`) })),
    { path: "trust.bin", mode: 0o644, bytes: trust },
  ];
  return compressed(archive(entries));
}

/** Level 6: 9 takes nine times as long for a five-hundredth less. zlib of one Node version gives the same bytes everywhere; the header's system byte is fixed, as it differs by host. */
function compressed(bytes: Uint8Array): Buffer {
  const packed = gzipSync(bytes, { level: 6 });
  packed.fill(0, 4, 8);
  packed[9] = 0xff;
  return packed;
}
