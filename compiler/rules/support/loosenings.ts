// Lines that do not hold, as advice, and with the reasons that silence it: for proofs, reports and differences, which tell them too.

import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import { resolveSessions } from "../../phases/policy/index.ts";
import { lineLoosened } from "../advice/line-loosened/codes.ts";
import { silencesIn } from "../silence.ts";
import { type Loosened, loosenedLines } from "./index.ts";

/** `because`: why that may be, as a comment on the page says it; undefined where none does. */
export interface Loosening extends Loosened {
  readonly because: string | undefined;
}

/** Of a page without errors, in its order. */
export function looseningsOf(model: Model, trees: readonly FileTree[]): readonly Loosening[] {
  const loosened = loosenedLines({ model, resolution: resolveSessions(model) });
  if (loosened.length === 0) return [];
  // What is malformed is told by lint.
  const silences = new Map(trees.map((tree) => [tree.source, silencesIn(tree, () => undefined)]));
  return loosened.map((one) => {
    const found = looseningOf(one);
    return { ...one, because: silences.get(found.span.source)?.about(found)?.reason };
  });
}

/** The advice about it, at the line that goes before. */
export function looseningOf(loosened: Loosened): Diagnostic {
  const { place, line, by, tools } = loosened;
  const facts = {
    place,
    line: line.words,
    by: by.map(({ words }) => `\`${words}\``).join(", "),
    tools: toolsText(tools),
    shown: callText(loosened.shown),
  };
  const at = by[0]?.span ?? line.span;
  return lineLoosened.at(at, facts, { related: [{ span: line.span, message: "the stricter line" }] });
}

/** Of more tools their number. */
const MOST_NAMED = 8;

export function toolsText(tools: readonly string[]): string {
  const shown = tools.slice(0, MOST_NAMED).map((name) => `\`${name}\``);
  const more = tools.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** `notes.write {"path":"locked"}: forbidden → auto` */
export function callText({ tool, arguments: asked, before, after }: Loosened["shown"]): string {
  if (asked === undefined) return `some call of ${tool} may come from ${before} to ${after}: it could not be ruled out`;
  return `${tool} ${asked}: ${before} → ${after}`;
}
