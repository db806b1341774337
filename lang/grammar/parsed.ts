import type { Diagnostic } from "../diagnostics/index.ts";
import type { FileTree } from "../tree/index.ts";

/** A tree stands for every page; what could not be read is missing in it. */
export interface Parsed {
  readonly tree: FileTree;
  readonly diagnostics: readonly Diagnostic[];
}
