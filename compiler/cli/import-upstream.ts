// Implements capc import upstream: it converts a boot manifest of upstream capOS to a page, and writes its programs and keys beside it.

import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { escapeInvisible, reportOf } from "../../lang/diagnostics/index.ts";
import { computeSha256 } from "../artefacts/inspect/description.ts";
import { renderDigestLine } from "../artefacts/products/file-digest.ts";
import { readBytes } from "../host/files.ts";
import { useScratch, writeArtifacts } from "../host/output.ts";
import type { ExitStatus, World } from "../host/world.ts";
import { importUpstream, MOST_MANIFEST_BYTES } from "../queries/import/upstream/index.ts";
import { createRefuser, type ParsedArguments } from "./command.ts";
import { formatPath, tellFindings, tellOnly } from "./render-findings.ts";

const refuse = createRefuser("import");

/**
 * Imports an upstream manifest. Writes or prints the page only if the page builds a manifest that upstream treats as
 * equal to the imported one.
 */
export async function importManifest(file: string, typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const path = resolve(world.folder, file);
  // If one byte more than the limit can be read, the file is too large.
  const read = readBytes(path, MOST_MANIFEST_BYTES + 1);
  if (!read.ok) return refuse(world, 3, read.reason);
  const wish = typed.switches.has("without-tables") ? "left" : "read";
  const imported = await importUpstream(escapeInvisible(formatPath(path, world)), read.value.bytes, wish);
  if (!imported.ok) {
    tellOnly(imported.diagnostics, typed, world);
    return 1;
  }
  const { page, files, findings } = imported;
  const [out, json] = [typed.values.get("out"), typed.switches.has("json")];
  const told = files.map(({ path, bytes }) => ({ path, bytes: bytes.length, sha256: computeSha256(bytes) }));
  if (out !== undefined) {
    const status = await writePage(
      resolve(world.folder, out),
      [{ path: PAGE, bytes: Buffer.from(page) }, ...files],
      world,
    );
    if (status !== 0) return status;
  }
  const lines = told.map((each) => renderDigestLine(each.path, each)).join("");
  if (json) {
    world.print(`${JSON.stringify({ ...reportOf(findings, findings.length), page, files: told })}\n`);
    return 0;
  }
  tellFindings(findings, typed, world);
  world.print(out === undefined ? page : lines);
  if (out === undefined && lines !== "") world.report(`The page names files that --out DIR writes:\n${lines}`);
  return 0;
}

const PAGE = "system.cap";

/** Writes all of the files or none, and replaces no existing file. */
async function writePage(
  folder: string,
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  world: World,
): Promise<ExitStatus> {
  const taken = [...new Set(files.flatMap(({ path }) => findObstacles(folder, path)))];
  if (taken.length > 0)
    return refuse(world, 2, `${formatPath(folder, world)} has ${taken.join(", ")} already; nothing was written`);
  const written = await useScratch(folder, async (scratch) => writeArtifacts(folder, scratch, files));
  return written.ok ? 0 : refuse(world, 3, written.reason);
}

/**
 * Returns what prevents the write of a file: an existing entry, even a dangling link, or a parent that is not a directory. Returns an empty
 * list if nothing prevents it.
 */
function findObstacles(folder: string, path: string): readonly string[] {
  const inspectPlace = (place: string) => lstatSync(join(folder, place), { throwIfNoEntry: false });
  const parent = dirname(path);
  const within = inspectPlace(parent);
  if (parent !== "." && within?.isDirectory() === false) return [parent];
  return inspectPlace(path) === undefined ? [] : [path];
}
