// Finds the doc comments of a source, each with its first line.

import { createSourceText, type SourceText } from "../../../lang/text/index.ts";

/** A doc comment. */
interface DocComment {
  /** Line at which the comment begins, counted from 1. */
  readonly line: number;
  /** The text on one line, without the comment marks. */
  readonly text: string;
}

/** Returns the doc comments of a file, whose language follows from its extension. */
export function readDocComments(path: string, source: string): readonly DocComment[] {
  const text = createSourceText(path, source);
  return path.endsWith(".rs") ? readRustComments(text) : readBlockComments(text);
}

function readBlockComments({ text: source, position }: SourceText): readonly DocComment[] {
  return [...source.matchAll(/^[ \t]*\/\*\*([\s\S]*?)\*\//gm)].map(({ 0: whole, 1: inner = "", index }) => ({
    line: position(index + whole.indexOf("/**")).line,
    text: joinLines(inner.split("\n").map((line) => line.replace(/^\s*\*/, ""))),
  }));
}

function readRustComments({ text: source, position }: SourceText): readonly DocComment[] {
  return [...source.matchAll(/(?:^[ \t]*\/\/[/!](?!\/).*\n?)+/gm)].map(({ 0: whole, index }) => ({
    line: position(index).line,
    text: joinLines(whole.split("\n").map((line) => line.replace(/^\s*\/\/[/!]/, ""))),
  }));
}

function joinLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join(" ")
    .trim();
}
