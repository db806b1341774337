import { fileURLToPath, pathToFileURL } from "node:url";
import type { Location, Range } from "vscode-languageserver/node";
import type { Span } from "../../lang/text/index.ts";
import { realPathOf } from "./desk/desk.ts";
import type { Snapshot } from "./snapshot.ts";

/** Lines and UTF-16 columns from 0, as editors count. */
export function rangeOf({ source, start, end }: Span): Range {
  return { start: positionOf(source, start), end: positionOf(source, end) };
}

function positionOf(source: Span["source"], offset: number): Range["start"] {
  const { line, column } = source.position(offset);
  return { line: line - 1, character: column - 1 };
}

/** How editors name files; those that are open are named as the editor did. */
export interface Names {
  readonly uriOf: (path: string) => string;
  /** With links resolved; nothing where it is no file of this machine. */
  readonly pathOf: (uri: unknown) => string | undefined;
}

/** `opened`: the URI under which an editor has a file open. */
export function namesOf(opened: (path: string) => string | undefined): Names {
  return { uriOf: (path) => opened(path) ?? pathToFileURL(path).href, pathOf };
}

function pathOf(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith("file:")) return undefined;
  try {
    return realPathOf(fileURLToPath(uri));
  } catch {
    // A host's name, or signs that no path has.
    return undefined;
  }
}

export function locationOf(span: Span, { fileOf }: Snapshot, { uriOf }: Names): Location {
  return { uri: uriOf(fileOf(span.source)), range: rangeOf(span) };
}
