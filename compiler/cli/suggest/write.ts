// Writes the page's files with all suggestions, in the form of `capc fmt`; each file is written completely or not at all.

import { dirname, join } from "node:path";
import { formatFile } from "../../../lang/format/index.ts";
import { createSourceText } from "../../../lang/text/index.ts";
import { replaceText, type WriteResult } from "../../host/output.ts";
import type { SuggestionResult } from "../../queries/suggest/index.ts";
import type { PageCompiled } from "../page.ts";

const LARGEST_FILE = 16 * 1024 * 1024;

export async function writePage(
  { suggestions, page }: SuggestionResult,
  { readings, path }: PageCompiled,
): Promise<WriteResult> {
  const folder = dirname((await readings.host.realPath(path)) ?? path);
  const files = new Set(suggestions.flatMap(({ edits }) => edits.map(({ span }) => join(folder, span.source.path))));
  for (const file of files) {
    const read = await page.host.readFile(file, LARGEST_FILE);
    if (!read.ok) return { ok: false, reason: read.reason };
    const text = Buffer.from(read.value).toString("utf8");
    const formed = await formatFile(createSourceText(file, text));
    // Every page that compiles can be formatted. If formatting fails anyway, the text with the suggestions is written unformatted.
    const written = replaceText(file, formed.ok ? formed.value : text);
    if (!written.ok) return written;
  }
  return { ok: true };
}
