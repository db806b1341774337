// Runs mkfs.erofs over a folder. The bytes of the image depend on the names, modes and contents in the folder, and on
// the version of mkfs.erofs.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Refusal, Result } from "../../lib/result/result.ts";

const PACKAGE = "erofs-utils";
/** The identifier is fixed, so that the bytes are reproducible; no program searches for a file system by it. */
const IDENTIFIER = "63617063-0000-4000-8000-000000000002";

/**
 * Returns the version that mkfs.erofs prints; fails if the program is missing. The program prints its version only when it writes an image,
 * so this function writes an empty image.
 */
export function readErofsVersion(): Result<string> {
  const scratch = mkdtempSync(join(tmpdir(), "capos-erofs-"));
  try {
    mkdirSync(join(scratch, "empty"));
    const ran = spawnSync("mkfs.erofs", [join(scratch, "image"), join(scratch, "empty")], { encoding: "utf8" });
    if (ran.error !== undefined) return refuseMissingErofs();
    const said = /mkfs\.erofs [\w.~+-]*\d[\w.~+-]*/.exec(`${ran.stdout}${ran.stderr}`)?.[0];
    return { ok: true, value: said ?? "mkfs.erofs of an unknown version" };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Whether mkfs.erofs compresses the files. `packed`: yes, as for programs. `asIs`: no, because the bytes look random
 * and would not become smaller.
 */
type Packing = "packed" | "asIs";

const PACKED = ["-zlz4hc", "-C65536"];

/**
 * Writes an image of `folder` to `out`. In the image, root owns everything, and all times are the first second of 1970.
 */
export function writeErofs(folder: string, out: string, packing: Packing = "packed"): { readonly ok: true } | Refusal {
  const words = [
    ...(packing === "packed" ? PACKED : []),
    "-T0",
    "-x-1",
    "-U",
    IDENTIFIER,
    "--all-root",
    "--quiet",
    out,
    folder,
  ];
  const ran = spawnSync("mkfs.erofs", words, { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } });
  if (ran.error !== undefined) return refuseMissingErofs();
  if (ran.status === 0) return { ok: true };
  return { ok: false, reason: `mkfs.erofs failed: ${ran.stderr.trim() || `status ${ran.status}`}` };
}

function refuseMissingErofs(): Refusal {
  return { ok: false, reason: `mkfs.erofs is not installed (Debian package ${PACKAGE})` };
}
