// Renders Markdown with untrusted text. This text cannot end a cell, or begin an element or a heading.

import { unwrapProse } from "../../phases/reflect/described.ts";

/** Renders text for a table cell: in one line, and escaped so that readers see it unchanged. */
export function renderCell(text: string): string {
  return renderInline(text).replaceAll("|", "\\|");
}

/** Renders text in one line. Doc comments have line ends, because they are wrapped at the margin of the source. */
export function renderInline(text: string): string {
  return unwrapProse(text)
    .replace(/[\\`*_[\]<>]/g, (sign) => `\\${sign}`)
    .trim();
}

/** Renders paragraphs separately. No line of the result begins a heading, a list, a fence or a table. */
export function renderParagraphs(text: string): readonly string[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((part) => renderInline(part).replace(/^([#+\-=~|]|\d+[.)])/, "\\$1"))
    .filter((part) => part !== "");
}

/** Renders source in running text. The fence around the source is longer than any fence in it. */
export function renderCode(text: string): string {
  const line = unwrapProse(text);
  const fence = "`".repeat(findLongestRun(line, /`+/g) + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${gap}${line}${gap}${fence}`;
}

/**
 * Renders code in a cell. A bar separates cells even in code, and a bar after a backslash cannot be escaped in code.
 * Code with such a bar is rendered as text.
 */
export function renderCodeCell(text: string): string {
  return text.includes("\\|") ? renderCell(text) : renderCode(text).replaceAll("|", "\\|");
}

/** Renders a block of source. The fence around the source is longer than any fence in it. */
export function renderFence(text: string, language: string): string {
  const fence = "`".repeat(Math.max(2, findLongestRun(text, /`{3,}/g)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * Returns the length of the longest part of the text that matches `runs`, or 0 if there is no match. It uses a loop,
 * because a text may have more matches than a function can have arguments.
 */
function findLongestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** Returns one block with the table, or no block if there are no rows. The cells must be Markdown already. */
export function renderTable(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const renderLine = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [[renderLine(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(renderLine)].join("\n")];
}

/** Renders blocks with an empty line between them, and one line end after the last. */
export function renderPage(blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}
