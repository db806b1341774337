import { placeOf, type Span } from "../text/index.ts";
import type { Diagnostic, Severity } from "./diagnostic.ts";
import { type ShownDiagnostics, selectShown } from "./order.ts";
import { escapeInvisible } from "./reveal-invisible.ts";

interface TerminalStyle {
  readonly colour: boolean;
  /** Maximum number of findings to draw; the rest is counted. */
  readonly limit?: number;
}

/** Number of columns of source to draw on each side of the caret. A very long line would otherwise flood the screen. */
const AROUND = 60;

/** Draws each finding for a person: message, position, excerpt with carets, reason and help. The last line counts the findings. */
export function drawDiagnostics(diagnostics: readonly Diagnostic[], style: TerminalStyle): string {
  const shown = selectShown(diagnostics, style.limit);
  const blocks = shown.shown.map((diagnostic) => drawOne(diagnostic, style));
  const total = renderSummary(shown);
  return [...blocks, ...(total === "" ? [] : [`${total}\n`])].join("\n");
}

function renderSummary(shown: ShownDiagnostics): string {
  const counts = [formatCount(shown.errors, "error"), formatCount(shown.warnings, "warning")].filter(
    (text) => text !== "",
  );
  if (counts.length === 0) return "";
  const more = shown.more === 0 ? "" : `; the first ${shown.shown.length} are shown, ${shown.more} more are not`;
  return `${counts.join(", ")}${more}`;
}

function formatCount(count: number, what: string): string {
  return count === 0 ? "" : `${count} ${what}${count === 1 ? "" : "s"}`;
}

function drawOne(diagnostic: Diagnostic, style: TerminalStyle): string {
  const paint = createPaint(style);
  const lines = [
    `${paint[diagnostic.severity](`${diagnostic.severity}[${diagnostic.code}]`)} ${escapeInvisible(diagnostic.message)}`,
    ...renderExcerpt(diagnostic.span, paint[diagnostic.severity]),
    ...diagnostic.related.flatMap((related) => [
      `  ${escapeInvisible(related.message)}`,
      ...renderExcerpt(related.span, paint.quiet, "-"),
    ]),
    `  ${paint.quiet("because:")} ${diagnostic.because}`,
  ];
  const [help, ...more] = diagnostic.help?.split("\n") ?? [];
  if (help !== undefined) lines.push(`  ${paint.quiet("help:")} ${escapeInvisible(help)}`);
  lines.push(...more.map((line) => `    ${escapeInvisible(line)}`));
  return `${lines.join("\n")}\n`;
}

type Paint = Record<Severity | "quiet", (text: string) => string>;

function createPaint({ colour }: TerminalStyle): Paint {
  const createDye = (code: string) => (text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return { error: createDye("1;31"), warning: createDye("1;33"), quiet: createDye("2") };
}

function renderExcerpt(at: Span, dye: (text: string) => string, mark = "^"): string[] {
  // A file that was not read has a name, but no line to show.
  if (at.source.text === "") return [`  --> ${escapeInvisible(at.source.path)}`];
  const { line, column } = at.source.position(at.start);
  const text = at.source.line(line);
  const from = column - 1 > AROUND ? column - 1 - AROUND : 0;
  const width = Math.max(1, Math.min(at.end - at.start, text.length - (column - 1), AROUND));
  const before = escapeInvisible(expandTabs(text.slice(from, column - 1)));
  const marked = escapeInvisible(expandTabs(text.slice(column - 1, column - 1 + width)));
  const after = escapeInvisible(expandTabs(text.slice(column - 1 + width, column - 1 + width + AROUND)));
  const gutter = String(line);
  const head = from > 0 ? "…" : "";
  const tail = column - 1 + width + AROUND < text.length ? "…" : "";
  return [
    `  ${" ".repeat(gutter.length)}--> ${escapeInvisible(placeOf(at))}`,
    `  ${gutter} | ${head}${before}${marked}${after}${tail}`,
    `  ${" ".repeat(gutter.length)} | ${" ".repeat(head.length + before.length)}${dye(mark.repeat(Math.max(1, marked.length)))}`,
  ];
}

function expandTabs(text: string): string {
  return text.replaceAll("\t", "  ");
}
