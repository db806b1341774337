// Finds rules that looser rules override in some cases. Also reads the reasons in comments that silence the advice
// about such rules. Proofs, reports and differences list these rules too.

import type { FileTree } from "../../lang/tree/index.ts";
import type { Model } from "../phases/bind/index.ts";
import { resolveSessions } from "../phases/policy/index.ts";
import { reportLoosening } from "./advice/line-loosened/finding.ts";
import { readSilences } from "./silence.ts";
import { findLoosenedLines, type OverriddenLine } from "./support/index.ts";

/**
 * A stricter line that looser lines override. `because` is the reason in the comment that silences the advice about the
 * stricter line; `undefined` if there is no such comment.
 */
export interface Loosening extends OverriddenLine {
  readonly because: string | undefined;
}

/** Returns the loosened lines of a page without errors, in page order. */
export function findLoosenings(model: Model, trees: readonly FileTree[]): readonly Loosening[] {
  const loosened = findLoosenedLines({ model, resolution: resolveSessions(model) });
  if (loosened.length === 0) return [];
  const { about } = readSilences(trees);
  return loosened.map((one) => ({ ...one, because: about(reportLoosening(one))?.reason }));
}
