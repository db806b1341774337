import { fileURLToPath, pathToFileURL } from "node:url";
import type { Location, Range } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { SourceText, Span } from "../../../lang/text/index.ts";
import type { Snapshot } from "./snapshot.ts";
import { resolveRealPath } from "./workspace/workspace.ts";

/** Cache of documents by their source, because a page has thousands of places. */
const asDocument = new WeakMap<SourceText, TextDocument | "plain">();

/**
 * Returns the source with the protocol's line counts, or `plain` if capc's are equal. In the protocol, a lone carriage return ends a
 * line, but not in capc and git. Such a page is refused, and the finding must be where the editor shows the line.
 */
function getDocument(source: SourceText): TextDocument | "plain" {
  const known = asDocument.get(source);
  if (known !== undefined) return known;
  const { text } = source;
  const document = /\r(?!\n)/.test(text) ? TextDocument.create("", "cap", 0, text) : "plain";
  asDocument.set(source, document);
  return document;
}

/** Returns lines and UTF-16 columns from 0, as editors count. */
export function convertToRange({ source, start, end }: Span): Range {
  return { start: convertToPosition(source, start), end: convertToPosition(source, end) };
}

function convertToPosition(source: Span["source"], offset: number): Range["start"] {
  const document = getDocument(source);
  if (document !== "plain") return document.positionAt(offset);
  const { line, column } = source.position(offset);
  return { line: line - 1, character: column - 1 };
}

/** Names of files for editors; an open file keeps the editor's name. */
export interface Names {
  readonly uriOf: (path: string) => string;
  /** Returns the path with links resolved, or `undefined` if the URI is not a file of this machine. */
  readonly pathOf: (uri: unknown) => string | undefined;
}

/** `opened` returns the URI of a file that an editor has open. */
export function createNames(opened: (path: string) => string | undefined): Names {
  return { uriOf: (path) => opened(path) ?? pathToFileURL(path).href, pathOf };
}

function pathOf(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith("file:")) return undefined;
  try {
    return resolveRealPath(fileURLToPath(uri));
  } catch {
    // The URI contains a host name, or characters that no path has.
    return undefined;
  }
}

export function convertToLocation(span: Span, { fileOf }: Snapshot, { uriOf }: Names): Location {
  return { uri: uriOf(fileOf(span.source)), range: convertToRange(span) };
}
