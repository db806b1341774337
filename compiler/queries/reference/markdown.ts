// Renders Markdown with untrusted text, which cannot end a cell or begin an element or a heading.

/** Renders text for a table cell, on one line and otherwise unchanged. */
export function renderCell(text: string): string {
  return renderInline(text).replaceAll("|", "\\|");
}

/** Renders text on one line, because doc comments are wrapped at the margin of the source. */
export function renderInline(text: string): string {
  return text
    .replace(/\s*\n\s*/g, " ")
    .replace(/[\\`*_[\]<>]/g, (sign) => `\\${sign}`)
    .trim();
}

/** Renders text and keeps its paragraphs separate. No line can begin a heading, a list, a fence or a table. */
export function renderParagraphs(text: string): readonly string[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((part) => renderInline(part).replace(/^([#+\-=~|]|\d+[.)])/, "\\$1"))
    .filter((part) => part !== "");
}

/** Renders source code inside a paragraph. The fence is longer than any fence in the code. */
export function renderCode(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ");
  const fence = "`".repeat(findLongestRun(line, /`+/g) + 1);
  const gap = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${gap}${line}${gap}${fence}`;
}

/**
 * Renders source code inside a table cell. A bar separates cells even in code, and cannot be escaped there after a
 * backslash. Such code is rendered as text.
 */
export function renderCodeCell(text: string): string {
  return text.includes("\\|") ? renderCell(text) : renderCode(text).replaceAll("|", "\\|");
}

/** Renders a block of source code. The fence is longer than any fence in the code. */
export function renderFence(text: string, language: string): string {
  const fence = "`".repeat(Math.max(2, findLongestRun(text, /`{3,}/g)) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * Returns the length of the longest match of `runs`. It does not pass all matches to one call of `Math.max`, because
 * untrusted text may have more matches than a call accepts arguments.
 */
function findLongestRun(text: string, runs: RegExp): number {
  return (text.match(runs) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** Returns a table whose cells are already Markdown, or an empty text if there are no rows. */
export function renderTable(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const renderLine = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [[renderLine(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(renderLine)].join("\n")];
}

/** Renders blocks with an empty line between them and one line end after the last block. */
export function renderPage(blocks: readonly string[]): string {
  return `${blocks.join("\n\n")}\n`;
}
