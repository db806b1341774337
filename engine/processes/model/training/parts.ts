// Weights as a repository stores them: in parts below 50 MB, with a list of their digests. A part is used only if it matches that list.
// Usage: `parts.ts split FILE FOLDER` or `parts.ts join FOLDER FILE`.

import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Result } from "../../../lib/result/result.ts";

/** Maximum size of a part: hosts of repositories warn above 50 MB. */
const MOST_BYTES = 40_000_000;
const LIST = "weights.json";

interface Part {
  readonly file: string;
  readonly bytes: number;
}

interface Parts {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly parts: readonly Part[];
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export function split(file: string, folder: string, most = MOST_BYTES): Parts {
  const bytes = readFileSync(file);
  const name = basename(file);
  mkdirSync(folder, { recursive: true });
  const parts = Array.from({ length: Math.ceil(bytes.length / most) }, (_, index) => {
    const part = bytes.subarray(index * most, (index + 1) * most);
    const path = `${name}.${index + 1}`;
    writeFileSync(join(folder, path), part);
    return { file: path, bytes: part.length };
  });
  const listed = { name, bytes: bytes.length, sha256: digestOf(bytes), parts };
  writeFileSync(join(folder, LIST), `${JSON.stringify(listed, undefined, 2)}\n`);
  return listed;
}

/** Joins the parts of a folder. Afterwards `file` has the original content, or does not exist. */
export function joined(folder: string, file: string): Result<number> {
  const half = `${file}.part`;
  try {
    const listed: Parts = JSON.parse(readFileSync(join(folder, LIST), "utf8"));
    if (writeParts(folder, listed.parts, half) !== listed.sha256)
      return { ok: false, reason: `the parts in ${folder} are not those of ${listed.name}` };
    renameSync(half, file);
    return { ok: true, value: listed.bytes };
  } catch (fault) {
    return { ok: false, reason: `the parts in ${folder} cannot be joined: ${fault}` };
  } finally {
    rmSync(half, { force: true });
  }
}

/**
 * Joins the parts if there are any and the file is not current. A digest file next to `file` records the parts from
 * which `file` was joined.
 */
export function updated(folder: string, file: string): Result<number> {
  if (!existsSync(join(folder, LIST))) return { ok: true, value: 0 };
  const [stamp, list] = [`${file}.sha256`, digestOf(readFileSync(join(folder, LIST)))];
  if (existsSync(file) && existsSync(stamp) && readFileSync(stamp, "utf8") === list) return { ok: true, value: 0 };
  const result = joined(folder, file);
  if (result.ok) writeFileSync(stamp, list);
  return result;
}

/** Writes the parts to a file, and returns the digest of everything written. */
function writeParts(folder: string, parts: readonly Part[], file: string): string {
  const hash = createHash("sha256");
  const out = openSync(file, "w");
  try {
    for (const part of parts) {
      // Use only the base name, so that a list cannot lead out of this folder.
      const bytes = readFileSync(join(folder, basename(part.file)));
      hash.update(bytes);
      writeFileSync(out, bytes);
    }
  } finally {
    closeSync(out);
  }
  return hash.digest("hex");
}

if (process.argv[1] === import.meta.filename) {
  const [, , action, from = "", to = ""] = process.argv;
  if (action === "split") {
    const { sha256, parts } = split(from, to);
    process.stdout.write(`${parts.length} parts in ${to}, sha256 ${sha256}\n`);
  } else if (action === "join" || action === "update") {
    const result = action === "join" ? joined(from, to) : updated(from, to);
    if (!result.ok) process.stderr.write(`${result.reason}\n`);
    process.exitCode = result.ok ? 0 : 1;
  } else {
    process.stderr.write("parts.ts split FILE FOLDER | parts.ts join|update FOLDER FILE\n");
    process.exitCode = 2;
  }
}
