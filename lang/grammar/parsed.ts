import type { Diagnostic } from "../diagnostics/index.ts";
import type { FileTree } from "../tree/index.ts";

/** Tree and findings of a page. Parts that could not be parsed are missing in the tree. */
export interface Parsed {
  readonly tree: FileTree;
  readonly diagnostics: readonly Diagnostic[];
}
