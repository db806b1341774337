import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { type SourceText, type Span, span } from "../../lang/text/index.ts";
import { saysNothing } from "../check/index.ts";
import { silenceMalformed } from "./codes.ts";

// Advice is silenced by a comment of its own: on the line of what is advised about, or on a line before it with nothing
// but comments between the two. A text never spans lines, so that each line can be read alone.

/** A comment that silences one code on one line. */
export interface Silence {
  readonly code: string;
  readonly reason: string;
  /** From 1. */
  readonly line: number;
  readonly source: SourceText;
  /** The code within the comment. */
  readonly at: Span;
}

const ALLOWS = /^(\/\/\s*capc:\s*allow\s+)([a-z0-9-]+)\s+because\s+"((?:[^"\\]|\\.)*)"\s*$/;
const MARK = /^\/\/\s*capc:/;

/** The silences of one file; comments that try to be one and are not are reported. */
export function silencesIn(source: SourceText, report: (diagnostic: Diagnostic) => void): Silence[] {
  // Most pages have none, and are not cut into lines for it.
  if (!source.text.includes("capc:")) return [];
  const silences: Silence[] = [];
  const lines = source.text.split("\n");
  const below = linesBelow(lines);
  let offset = 0;
  for (const [index, line] of lines.entries()) {
    const start = commentIn(line);
    const comment = start === undefined ? "" : line.slice(start).trimEnd();
    if (start !== undefined && MARK.test(comment)) {
      const from = offset + start;
      const silence = silenceOf(source, comment, from, lineMeant(lines[index]?.slice(0, start), index, below));
      if (typeof silence !== "string") silences.push(silence);
      else report(silenceMalformed.at(span(source, from, from + comment.length), { what: silence }));
    }
    offset += line.length + 1;
  }
  return silences;
}

/** The silence that a comment is, or why it is none. */
function silenceOf(source: SourceText, comment: string, from: number, line: number): Silence | string {
  const [, before = "", code = "", reason = ""] = ALLOWS.exec(comment) ?? [];
  if (code === "") return "it does not say what it allows, and why";
  if (saysNothing(reason)) return "its reason says nothing";
  return { code, reason, line, source, at: span(source, from + before.length, from + before.length + code.length) };
}

/** Where the comment of a line begins, if it has one: `//` inside of a text is none. */
function commentIn(line: string): number | undefined {
  let inText = false;
  for (let at = 0; at < line.length; at++) {
    if (inText && line[at] === "\\") at++;
    else if (line[at] === '"') inText = !inText;
    else if (!inText && line.startsWith("//", at)) return at;
  }
  return undefined;
}

/** The line that a comment speaks of, from 1: its own if something stands before it, or the next one that says something. */
function lineMeant(before: string | undefined, index: number, below: readonly (number | undefined)[]): number {
  return (before?.trim() === "" ? (below[index] ?? index) : index) + 1;
}

/** For each line the next one that has more than a comment: a page may have a silence on each of ten thousand lines. */
function linesBelow(lines: readonly string[]): readonly (number | undefined)[] {
  const below: (number | undefined)[] = [];
  let next: number | undefined;
  for (let index = lines.length - 1; index >= 0; index--) {
    below[index] = next;
    if (!/^\s*(?:\/\/.*)?$/.test(lines[index] ?? "")) next = index;
  }
  return below;
}
