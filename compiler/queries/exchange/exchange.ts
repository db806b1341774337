// Exports a page as a value of YAML or JSON, and imports it. Positions, and comments other than doc comments, are lost.

import { type Diagnostic, sortDiagnostics } from "../../../lang/diagnostics/index.ts";
import type { SourceText } from "../../../lang/text/index.ts";
import type { FileTree, Item } from "../../../lang/tree/index.ts";
import { notAPage } from "./codes.ts";
import type { Fault, Value } from "./shape.ts";
import { page } from "./shapes/page.ts";
import { readYaml } from "./yaml.ts";

/** Returns the contents of a page without syntax errors as a value for YAML or JSON. */
export function exportPage({ items }: Pick<FileTree, "items">): Value {
  return page.write({ form: "capc-page-1", items });
}

/** Maximum number of faults that are reported. A file may consist of faults only. */
const MOST_FAULTS = 1000;

/** The declarations of one file, or all faults for which the file is refused. */
type Imported =
  | { readonly ok: true; readonly items: readonly Item[] }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Reads YAML or JSON; the caller has bounded the size of `source`. */
export function importPage(source: SourceText): Imported {
  const read = readYaml(source);
  if (!read.ok) return read;
  const faults: Fault[] = [];
  const found = page.read(read.value, [], (fault) => {
    if (faults.length < MOST_FAULTS) faults.push(fault);
  });
  if (found !== undefined) return { ok: true, items: found.node.items };
  return {
    ok: false,
    diagnostics: sortDiagnostics(faults.map(({ path, reason }) => notAPage.at(read.placeOf(path), { reason }))),
  };
}
