import type { FileTree } from "../../../lang/tree/index.ts";
import type { Snapshot } from "./snapshot.ts";

/** What a request is about: a place in a file of a package. */
export interface PositionContext {
  readonly snapshot: Snapshot;
  readonly tree: FileTree;
  /** In UTF-16 units. */
  readonly offset: number;
}
