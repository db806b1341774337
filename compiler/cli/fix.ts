// Puts certain fixes into the files that a person named pages of, and gives those files their form.

import { resolve } from "node:path";
import type { Diagnostic, Fix } from "../../lang/diagnostics/index.ts";
import { formatFile } from "../../lang/format/index.ts";
import { type SourceText, sourceText } from "../../lang/text/index.ts";
import { applyFixes } from "../lint/index.ts";
import { replaceText } from "./output.ts";
import type { Readings } from "./readings.ts";
import type { World } from "./world.ts";

/** How many fixes were applied, and the files that were written, as they are reached from where the person is. */
export type FixResult =
  | { readonly ok: true; readonly count: number; readonly files: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Only files that were read for the pages are written: never the standard library. */
export async function fixFiles(
  found: readonly Diagnostic[],
  readings: readonly Readings[],
  world: World,
): Promise<FixResult> {
  const mayWrite = new Set(readings.flatMap(({ paths }) => paths()));
  const files: string[] = [];
  let total = 0;
  for (const [path, { source, fixes }] of fixesByFile(found)) {
    const absolute = resolve(world.folder, path);
    if (!mayWrite.has(absolute)) continue;
    const { text, count } = applyFixes(source.text, fixes);
    const formed = await formatFile(sourceText(path, text));
    // Where something else is wrong with its syntax, a file has no form yet.
    const written = replaceText(absolute, formed.ok ? formed.value : text);
    if (!written.ok) return written;
    files.push(path);
    total += count;
  }
  return { ok: true, count: total, files };
}

interface FileFixes {
  readonly source: SourceText;
  readonly fixes: Fix[];
}

function fixesByFile(found: readonly Diagnostic[]): ReadonlyMap<string, FileFixes> {
  const files = new Map<string, FileFixes>();
  for (const { fix } of found) {
    if (fix === undefined) continue;
    const { source } = fix.span;
    const file = files.get(source.path) ?? { source, fixes: [] };
    file.fixes.push(fix);
    files.set(source.path, file);
  }
  return files;
}
