import { fileURLToPath, pathToFileURL } from "node:url";
import type { Location, Range } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { SourceText, Span } from "../../../lang/text/index.ts";
import type { Snapshot } from "./snapshot.ts";
import { resolveRealPath } from "./workspace/workspace.ts";

/** By source, because a page has thousands of places. */
const asDocument = new WeakMap<SourceText, TextDocument | "plain">();

/**
 * Returns the source as the protocol counts its lines, or `plain` if capc counts them so too. The protocol ends a line at a
 * lone carriage return, capc and git do not; such a page is refused, and the finding has to stand where the editor shows it.
 */
function getDocument(source: SourceText): TextDocument | "plain" {
  const known = asDocument.get(source);
  if (known !== undefined) return known;
  const { text } = source;
  const document = /\r(?!\n)/.test(text) ? TextDocument.create("", "cap", 0, text) : "plain";
  asDocument.set(source, document);
  return document;
}

/** Lines and UTF-16 columns from 0, as editors count. */
export function convertToRange({ source, start, end }: Span): Range {
  return { start: convertToPosition(source, start), end: convertToPosition(source, end) };
}

function convertToPosition(source: Span["source"], offset: number): Range["start"] {
  const document = getDocument(source);
  if (document !== "plain") return document.positionAt(offset);
  const { line, column } = source.position(offset);
  return { line: line - 1, character: column - 1 };
}

/** How editors name files; those that are open are named as the editor did. */
export interface Names {
  readonly uriOf: (path: string) => string;
  /** Returns the path with links resolved, or `undefined` if the URI is not a file of this machine. */
  readonly pathOf: (uri: unknown) => string | undefined;
}

/** `opened`: the URI under which an editor has a file open. */
export function createNames(opened: (path: string) => string | undefined): Names {
  return { uriOf: (path) => opened(path) ?? pathToFileURL(path).href, pathOf };
}

function pathOf(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith("file:")) return undefined;
  try {
    return resolveRealPath(fileURLToPath(uri));
  } catch {
    // A host's name, or signs that no path has.
    return undefined;
  }
}

export function convertToLocation(span: Span, { fileOf }: Snapshot, { uriOf }: Names): Location {
  return { uri: uriOf(fileOf(span.source)), range: convertToRange(span) };
}
