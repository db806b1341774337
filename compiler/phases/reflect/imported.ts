import type { Diagnostic, Related } from "../../../lang/diagnostics/index.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { createSourceText, makeSpan, type Span } from "../../../lang/text/index.ts";
import type { Import } from "../source/index.ts";
import type { SaidMethod } from "./annotation-facts.ts";
import { importInvalid } from "./codes.ts";
import type { Hints } from "./mcp.ts";
import type { InterfaceDescription } from "./tools.ts";

/** An interface of an import, with the name that it has on the page. */
export interface ImportedInterface {
  /** Description of the interface; its name is qualified, such as `ledger.Ledger`. */
  readonly description: InterfaceDescription;
  readonly alias: string;
  /** Position on the page at which the import is named. */
  readonly at: Span;
  /** Facts in the annotations of the schema, by method. */
  readonly said: ReadonlyMap<string, SaidMethod>;
  /** Hints that the server of a tool list gives, by method. */
  readonly hints: ReadonlyMap<string, Hints>;
}

/** Result of one import, or of several that were compiled together. */
export interface Imports {
  readonly interfaces: readonly ImportedInterface[];
  /**
   * Names of imports that could not be read; each of them was reported. Uses of names from these imports are not
   * reported again.
   */
  readonly failed: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

export const NO_IMPORTS: Imports = { interfaces: [], failed: new Set(), diagnostics: [] };

export function joinImports(parts: readonly Imports[]): Imports {
  return {
    interfaces: parts.flatMap(({ interfaces }) => interfaces),
    failed: new Set(parts.flatMap(({ failed }) => [...failed])),
    diagnostics: parts.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Reports an invalid import, and returns it without interfaces. */
export function rejectImport(one: Import, reason: string, related: readonly Related[] = []): Imports {
  const diagnostic = importInvalid.at(one.at.span, { path: one.path, reason: escapeInvisible(reason) }, { related });
  return { interfaces: [], failed: new Set([one.alias.text]), diagnostics: [diagnostic] };
}

/**
 * Searches the imported file after the text `behind`, and returns the position of the first occurrence of the words.
 * Returns an empty list if the file does not contain exactly these words.
 */
export function locateWords(one: Import, words: string, message: string, behind = ""): readonly Related[] {
  const text = one.files.get(one.path) ?? "";
  const start = text.indexOf(words, Math.max(0, text.indexOf(behind)));
  return start < 0 ? [] : [{ span: makeSpan(createSourceText(one.path, text), start, start + words.length), message }];
}

/** Position in a file, as another program reports it. */
interface ToldPlace {
  /** Line number, from 1. */
  readonly line: number;
  /** Column from 0. Column and length are in bytes, so they are accurate only for a line of ASCII. */
  readonly column: number;
  readonly length: number;
}

export function locateSpan(path: string, text: string, { line, column, length }: ToldPlace): Span {
  const before = text.split("\n").slice(0, line - 1);
  const start = Math.min(text.length, before.reduce((sum, one) => sum + one.length + 1, 0) + column);
  return makeSpan(createSourceText(path, text), start, Math.min(text.length, start + length));
}
