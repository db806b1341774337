import { makeSpan, type Span } from "../../../../lang/text/index.ts";

/**
 * Returns the whole line of a span, with its line end, if the line contains nothing else; otherwise the span itself.
 */
export function expandToLine(at: Span): Span {
  const { text } = at.source;
  const before = text.lastIndexOf("\n", at.start - 1) + 1;
  const end = text.indexOf("\n", at.end);
  const after = end === -1 ? text.length : end + 1;
  const alone = text.slice(before, at.start).trim() === "" && text.slice(at.end, after).trim() === "";
  return alone ? makeSpan(at.source, before, after) : at;
}
