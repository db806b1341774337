import { createSourceText, type SourceText } from "./source.ts";

/** A half-open range of one source. Every part of a page that is written to the policy tables has the span of its line. */
export interface Span {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
}

export function makeSpan(source: SourceText, start: number, end: number): Span {
  return { source, start, end };
}

/** Returns the range from the start of one span to the end of another in the same source. */
export function joinSpans(first: Span, last: Span): Span {
  return makeSpan(first.source, first.start, Math.max(first.end, last.end));
}

/** Returns the text of the span. */
export function getText({ source, start, end }: Span): string {
  return source.text.slice(start, end);
}

/** Returns the start of a span as `file:line:column`. */
export function placeOf(at: Span): string {
  const { line, column } = at.source.position(at.start);
  return `${at.source.path}:${line}:${column}`;
}

/**
 * Compares names by code unit. `localeCompare` would order names, and thus the signed bytes, differently on each
 * machine.
 */
export function compareCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

export function compareSpans(left: Span, right: Span): number {
  return compareCodeUnits(left.source.path, right.source.path) || left.start - right.start || left.end - right.end;
}

/** Returns the empty span at the start of a named source, for parts that have no position in a source. */
export function startOf(path: string): Span {
  return makeSpan(createSourceText(path, ""), 0, 0);
}
