import { type Diagnostic, escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { UnreadablePage } from "./findings.ts";

/** Renders workflow commands, one for each line of the output. GitHub shows them beside the lines of a pull request. */
export function renderGithub(diagnostics: readonly Diagnostic[], unread: readonly UnreadablePage[] = []): string {
  const lines = [
    ...unread.map(({ reason }) => `::error title=capc::${escapeMessage(reason)}`),
    ...diagnostics.map(renderAnnotation),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function renderAnnotation({ code, severity, span, message, because, help }: Diagnostic): string {
  const start = span.source.position(span.start);
  const end = span.source.position(span.end);
  const properties = {
    file: span.source.path,
    line: start.line,
    endLine: end.line,
    // GitHub refuses columns if a range has several lines.
    ...(start.line === end.line ? { col: start.column, endColumn: end.column } : {}),
    title: code,
  };
  const words = [message, `because: ${because}`, ...(help === undefined ? [] : [`help: ${help}`])].join("\n");
  const listed = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${severity} ${listed.join(",")}::${escapeMessage(words)}`;
}

/**
 * Escapes text of the page that would end the command or begin a new command. Characters that would colour the log are
 * escaped too.
 */
export function escapeMessage(text: string): string {
  const drawn = text.split(/([\r\n])/).map((part) => (part === "\r" || part === "\n" ? part : escapeInvisible(part)));
  return drawn.join("").replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
