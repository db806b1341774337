import type { FileTree } from "../../../lang/tree/index.ts";
import type { Snapshot } from "./snapshot.ts";

/** Subject of a request: a position in a file of a package. */
export interface PositionContext {
  readonly snapshot: Snapshot;
  readonly tree: FileTree;
  /** Offset of the position in UTF-16 code units. */
  readonly offset: number;
}
