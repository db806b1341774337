import type { Diagnostic } from "../diagnostics/index.ts";
import type { FileTree } from "../tree/index.ts";

/** Result of parsing. Every page has a tree, in which the parts that could not be parsed are missing. */
export interface Parsed {
  readonly tree: FileTree;
  readonly diagnostics: readonly Diagnostic[];
}
