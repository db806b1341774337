// Applies fixes to the files of the named pages, and formats these files. Only such fixes are applied for which capc
// need not ask a person, for example because they do not change the policy.

import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Result } from "../../engine/lib/result/result.ts";
import { formatFile } from "../../lang/format/index.ts";
import { createSourceText } from "../../lang/text/index.ts";
import { isRefusal } from "../host/files.ts";
import { replaceText } from "../host/output.ts";
import type { World } from "../host/world.ts";
import { createDiskHost } from "../phases/source/index.ts";
import { findCertainFixes, type PageFixes, selectAgreedFixes } from "../queries/fixes/index.ts";
import { applyFixes } from "../rules/index.ts";
import { recordReadings } from "./recording-host.ts";

/**
 * Fixes the files that the named pages read, but never files of the standard library. Pages that cannot be opened are
 * left out.
 */
export async function fixFiles(files: readonly string[], world: World): Promise<Result<number>> {
  const pages = (await Promise.all(files.map((file) => findPageFixes(resolve(world.folder, file))))).flatMap(
    (page) => page ?? [],
  );
  let total = 0;
  for (const [file, fixes] of selectAgreedFixes(pages)) {
    const [first] = fixes;
    if (first === undefined) continue;
    const { text, count } = applyFixes(first.span.source.text, fixes);
    const formed = await formatFile(createSourceText(file, text));
    // A file that still has a syntax error cannot be formatted, so it is written unformatted.
    const written = replaceText(file, formed.ok ? formed.value : text);
    if (!written.ok) return written;
    total += count;
  }
  return { ok: true, value: total };
}

async function findPageFixes(path: string): Promise<PageFixes | undefined> {
  const { host, paths } = recordReadings(createDiskHost());
  let folder: string;
  try {
    folder = dirname(realpathSync(path));
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
  const certain = await findCertainFixes(host, path);
  const read = new Set(paths());
  return { certain, folder, reads: (file) => read.has(file) };
}
