// Lines that do not hold, as advice, and with the reasons that silence it: for proofs, reports and differences, which tell them too.

import type { FileTree } from "../../lang/tree/index.ts";
import type { Model } from "../phases/bind/index.ts";
import { resolveSessions } from "../phases/policy/index.ts";
import { reportLoosening } from "./advice/line-loosened/finding.ts";
import { readSilences } from "./silence.ts";
import { findLoosenedLines, type OverriddenLine } from "./support/index.ts";

/** `because`: why that may be, as a comment on the page says it; undefined where none does. */
export interface Loosening extends OverriddenLine {
  readonly because: string | undefined;
}

/** Of a page without errors, in its order. */
export function findLoosenings(model: Model, trees: readonly FileTree[]): readonly Loosening[] {
  const loosened = findLoosenedLines({ model, resolution: resolveSessions(model) });
  if (loosened.length === 0) return [];
  const { about } = readSilences(trees);
  return loosened.map((one) => ({ ...one, because: about(reportLoosening(one))?.reason }));
}
