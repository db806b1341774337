import { fileURLToPath, pathToFileURL } from "node:url";
import type { Location, Range } from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { SourceText, Span } from "../../../lang/text/index.ts";
import type { Snapshot } from "./snapshot.ts";
import { resolveRealPath } from "./workspace/workspace.ts";

/** Cache of a `TextDocument` for each source, because the findings and names of a page have thousands of places. */
const asDocument = new WeakMap<SourceText, TextDocument | "plain">();

/**
 * Returns the source as a document that counts lines as the protocol does, or `plain` if capc counts the same lines.
 * The protocol treats a lone carriage return as the end of a line; capc and git do not. capc refuses a page with a lone
 * carriage return, and the finding must be where the editor shows that line.
 */
function getDocument(source: SourceText): TextDocument | "plain" {
  const known = asDocument.get(source);
  if (known !== undefined) return known;
  const { text } = source;
  const document = /\r(?!\n)/.test(text) ? TextDocument.create("", "cap", 0, text) : "plain";
  asDocument.set(source, document);
  return document;
}

/** Returns the range with lines and UTF-16 columns counted from 0, as editors count them. */
export function convertToRange({ source, start, end }: Span): Range {
  return { start: convertToPosition(source, start), end: convertToPosition(source, end) };
}

function convertToPosition(source: Span["source"], offset: number): Range["start"] {
  const document = getDocument(source);
  if (document !== "plain") return document.positionAt(offset);
  const { line, column } = source.position(offset);
  return { line: line - 1, character: column - 1 };
}

/**
 * Converts between paths and the names that editors use for files; an open file keeps the name that the editor chose.
 */
export interface Names {
  readonly uriOf: (path: string) => string;
  /** Returns the path with links resolved, or `undefined` if the URI is not a file of this machine. */
  readonly pathOf: (uri: unknown) => string | undefined;
}

/** Returns the conversion between paths and URIs; `opened` returns the URI of a file that an editor has open. */
export function createNames(opened: (path: string) => string | undefined): Names {
  return { uriOf: (path) => opened(path) ?? pathToFileURL(path).href, pathOf };
}

function pathOf(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith("file:")) return undefined;
  try {
    return resolveRealPath(fileURLToPath(uri));
  } catch {
    // The editor's URI names another host, or contains characters that no path has. So it has no path here.
    return undefined;
  }
}

export function convertToLocation(span: Span, { fileOf }: Snapshot, { uriOf }: Names): Location {
  return { uri: uriOf(fileOf(span.source)), range: convertToRange(span) };
}
