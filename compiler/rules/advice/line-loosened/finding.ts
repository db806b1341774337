import type { Diagnostic } from "../../../../lang/diagnostics/index.ts";
import type { OverriddenLine } from "../../support/index.ts";
import { lineLoosened } from "./codes.ts";

/** Returns the advice about a loosened line. The advice is placed at the line that takes precedence. */
export function reportLoosening(loosened: OverriddenLine): Diagnostic {
  const { place, line, by, tools } = loosened;
  const facts = {
    place,
    line: line.words,
    by: by.map(({ words }) => `\`${words}\``).join(", "),
    tools: formatTools(tools),
    shown: callText(loosened.shown),
  };
  const at = by[0]?.span ?? line.span;
  return lineLoosened.at(at, facts, { related: [{ span: line.span, message: "the stricter line" }] });
}

/** Maximum number of tools that the message names; of the others it states only the number. */
const MOST_NAMED = 8;

export function formatTools(tools: readonly string[]): string {
  const shown = tools.slice(0, MOST_NAMED).map((name) => `\`${name}\``);
  const more = tools.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${more} more` : shown.join(", ");
}

/** Returns a call as text: `notes.write {"path":"locked"}: forbidden → auto`. */
export function callText({ tool, arguments: asked, before, after }: OverriddenLine["shown"]): string {
  if (asked === undefined) return `some call of ${tool} may come from ${before} to ${after}: it could not be ruled out`;
  return `${tool} ${asked}: ${before} → ${after}`;
}
