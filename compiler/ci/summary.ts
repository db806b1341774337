// Renders the job's summary of all changes, page by page.

import { renderCode } from "./difference.ts";

/** Maximum bytes of the summary: GitHub shows no summary of a step that is larger than 1 MiB. */
const MOST_BYTES = 1_000_000;

interface Told {
  /** Revision to compare with, as the inputs name it. */
  readonly base: string | undefined;
  /** Hash of the base commit, or `undefined` if git does not know the revision. */
  readonly commit: string | undefined;
  /** Markdown text of each compared page. */
  readonly pages: readonly string[];
  readonly gone: readonly string[];
}

/** Renders the summary; a page that does not fit any more is left out as a whole. */
export function renderSummary({ base, commit, pages, gone }: Told): string {
  const title = "## What the pages mean\n";
  if (base === undefined) return `${title}\nNothing was compared: there is no revision that these come from.\n`;
  if (commit === undefined)
    return `${title}\nNothing was compared: git neither knows nor can fetch ${renderCode(base)}.\n`;
  const left = gone.map((page) => `### ${renderCode(page)}\n\nThis page is gone.\n`);
  const parts = [title];
  let size = 0;
  for (const part of [...pages, ...left]) {
    size += Buffer.byteLength(part) + 1;
    if (size <= MOST_BYTES) parts.push(part);
  }
  const missing = pages.length + left.length + 1 - parts.length;
  if (missing > 0) parts.push(`and ${missing} more that no summary has room for\n`);
  if (parts.length === 1) parts.push("There are no pages.\n");
  return parts.join("\n");
}
