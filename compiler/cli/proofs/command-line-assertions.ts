// Parses assertions from the command line. They are parsed like lines of a page, and are bound to the page later.

import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { decodeSource, parse } from "../../../lang/grammar/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";

/** Assertions on the command line, as far as they can be parsed. */
type Asked =
  | { readonly kind: "read"; readonly tree: FileTree }
  | { readonly kind: "wrong"; readonly diagnostics: readonly Diagnostic[] }
  /** Input that can be parsed but is not an assertion. */
  | { readonly kind: "other" };

/** Name of the command line as the source of findings. */
const COMMAND_LINE = "the command line";

/** Parses the texts together. They must be assertions; several texts may be parts of one assertion. */
export async function readAsked(texts: readonly string[]): Promise<Asked> {
  const bounded = decodeSource(COMMAND_LINE, Buffer.from(texts.join("\n")));
  if (!bounded.ok) return { kind: "wrong", diagnostics: [bounded.diagnostic] };
  const { tree, diagnostics } = await parse(bounded.source);
  if (diagnostics.length > 0) return { kind: "wrong", diagnostics };
  const isAsserted = tree.items.length > 0 && tree.items.every(({ kind }) => kind === "assert");
  return isAsserted ? { kind: "read", tree } : { kind: "other" };
}
