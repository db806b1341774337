import { dirname, join } from "node:path";
import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { SourceText } from "../../../lang/text/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";
import type { Compiled } from "../../compile.ts";
import type { Model, Naming } from "../../phases/bind/index.ts";
import { indexPolicyTables, type LoweredPolicy } from "../../phases/policy/index.ts";
import { type Import, isStandard, locateStandardFile } from "../../phases/source/index.ts";
import type { CertainFixes } from "../../queries/fixes/index.ts";
import { indexNamings, type Namings } from "./namings.ts";

/** Result of one compilation of a package, which serves all requests. */
export interface Snapshot {
  /** Absolute path of the root page. */
  readonly root: string;
  /** Findings and advice, as `check` and `lint` report them. */
  readonly diagnostics: readonly Diagnostic[];
  /** Model of the pages; absent if the pages could not be read at all. */
  readonly model: Model | undefined;
  /** Pages of the package and modules of the standard library, by absolute path. */
  readonly trees: ReadonlyMap<string, FileTree>;
  /** Schemas and lists of tools that the pages import, with their texts. */
  readonly imports: readonly Import[];
  readonly namings: Namings;
  /** Tables of a package whose pages have no errors; otherwise `undefined`. */
  readonly decided: IndexedPolicy | undefined;
  /** Failures of the tests that a person ran on this snapshot, by title; none for a test that passed. */
  readonly tested: Map<string, readonly Diagnostic[]>;
  /** Returns the absolute path of a source. */
  readonly fileOf: (source: SourceText) => string;
  /** Returns the fixes for the present files that may be applied without a question. The first call compiles the pages many times. */
  readonly certain: () => Promise<CertainFixes>;
}

export interface IndexedPolicy extends LoweredPolicy {
  readonly tables: IndexedTables;
}

/**
 * Creates a snapshot; `root` has its links resolved. `findCertain` takes long, because it compiles the pages many
 * times; it is called at most once.
 */
export function createSnapshot(
  root: string,
  compiled: Compiled,
  named: readonly Naming[],
  findCertain: () => Promise<CertainFixes>,
): Snapshot {
  const { understood, diagnostics, advice } = compiled;
  const folder = dirname(root);
  const fileOf = ({ path }: SourceText): string => (isStandard(path) ? locateStandardFile(path) : join(folder, path));
  const trees = [...(understood?.package.pages ?? []), ...(understood?.package.modules.values() ?? [])];
  let namings: Namings | undefined;
  let decided: IndexedPolicy | undefined;
  let certain: Promise<CertainFixes> | undefined;
  return {
    root,
    diagnostics: [...diagnostics, ...advice],
    model: understood?.model,
    trees: new Map(trees.map((tree) => [fileOf(tree.source), tree])),
    imports: understood?.package.imports ?? [],
    get namings() {
      namings ??= indexNamings(named);
      return namings;
    },
    get decided() {
      const lowered = understood?.lowered;
      if (lowered !== undefined) decided ??= { ...lowered, tables: indexPolicyTables(lowered.policy) };
      return decided;
    },
    tested: new Map(),
    fileOf,
    certain: () => {
      certain ??= findCertain();
      return certain;
    },
  };
}
