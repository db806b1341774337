// Doc comments of a source, with the line each begins at.

/** A doc comment. */
interface DocComment {
  /** From 1. */
  readonly line: number;
  /** The words, without the signs of the comment, on one line. */
  readonly text: string;
}

/** Returns the doc comments of a file, by the ending of its name. */
export function readDocComments(path: string, source: string): readonly DocComment[] {
  return path.endsWith(".rs") ? readRustComments(source) : readBlockComments(source);
}

function readBlockComments(source: string): readonly DocComment[] {
  return [...source.matchAll(/^[ \t]*\/\*\*([\s\S]*?)\*\//gm)].map(({ 0: whole, 1: inner = "", index }) => ({
    line: countLines(source, index + whole.indexOf("/**")),
    text: joinLines(inner.split("\n").map((line) => line.replace(/^\s*\*/, ""))),
  }));
}

function readRustComments(source: string): readonly DocComment[] {
  return [...source.matchAll(/(?:^[ \t]*\/\/[/!](?!\/).*\n?)+/gm)].map(({ 0: whole, index }) => ({
    line: countLines(source, index),
    text: joinLines(whole.split("\n").map((line) => line.replace(/^\s*\/\/[/!]/, ""))),
  }));
}

function joinLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join(" ")
    .trim();
}

function countLines(source: string, end: number): number {
  let lines = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < end; at = source.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
