import { getText } from "../../../../lang/text/index.ts";
import { type BoundLine, type BoundPattern, EVERYTHING } from "../../../phases/bind/index.ts";
import { findDecidedKeys } from "../../../phases/policy/index.ts";
import { createAnswerLookup } from "../../support/answers.ts";
import { defineLaw, type Page } from "../../support/law.ts";
import { collectLayers, computeAnswersWithin, type OwnLayer } from "../../support/own-layers.ts";
import { ruleShadowed } from "./codes.ts";

/**
 * Checks ruling 18: each rule must decide about some tool. A rule about a category is not reported here if more
 * specific rules cover all of its tools; an advice reports it as redundant.
 */
export const rule = defineLaw({
  reports: [ruleShadowed],
  check: (page, report) => {
    if (page.model.damaged) return;
    for (const layer of collectLayers(page.model)) {
      const { lines } = layer.said;
      if (lines.length === 0) continue;
      const shadowed = createShadowFinder(page, layer);
      for (const line of lines)
        for (const pattern of line.patterns) {
          const why = shadowed(pattern);
          if (why === undefined) continue;
          const exception = why === COVERED ? writeException(line, pattern) : "";
          report(ruleShadowed.at(pattern.span, { pattern: getText(pattern.span), why, exception }));
        }
    }
  },
});

const COVERED = "more specific rules cover all of its tools";

/**
 * Returns an example of a line that takes precedence over this line: it has the same checks and one more, as in `MODE
 * PATTERN where size(path) > 0 and CHECK else auto`. Returns an empty text if this line has no condition.
 */
function writeException({ node, where }: BoundLine, pattern: BoundPattern): string {
  if (where === undefined || node.where === undefined) return "";
  const checks = node.where.checks.map(({ span }) => getText(span)).join(" and ");
  return `MODE ${getText(pattern.span)} where ${checks} and CHECK else ${where.otherwise}`;
}

function createShadowFinder(page: Page, layer: OwnLayer): (pattern: BoundPattern) => string | undefined {
  const answerOf = createAnswerLookup(page.model, computeAnswersWithin(page, layer));
  const decided = findDecidedKeys(page.model, layer.said);
  return (pattern) => {
    if (pattern.tools.length === 0) return undefined;
    if (pattern.tools.every((tool) => answerOf(tool)?.suppressed === true)) return "its tools do not exist here";
    if (decided.has(pattern.key) || isCategory(pattern)) return undefined;
    return COVERED;
  };
}

function isCategory(pattern: BoundPattern): boolean {
  return pattern.category !== undefined || pattern.key === EVERYTHING;
}
