import { getText } from "../../../../lang/text/index.ts";
import { type BoundPattern, EVERYTHING } from "../../../phases/bind/index.ts";
import { findDecidedKeys } from "../../../phases/policy/index.ts";
import { createAnswerLookup } from "../../support/answers.ts";
import { defineLaw, type Page } from "../../support/law.ts";
import { collectLayers, computeAnswersWithin, type OwnLayer } from "../../support/own-layers.ts";
import { ruleShadowed } from "./codes.ts";

/**
 * Checks ruling 18: each rule must decide about some tool. A rule about a category that more specific rules cover completely is only
 * redundant, which advice reports.
 */
export const rule = defineLaw({
  reports: [ruleShadowed],
  check: (page, report) => {
    if (page.model.damaged) return;
    for (const layer of collectLayers(page.model)) {
      const patterns = layer.said.lines.flatMap((line) => line.patterns);
      if (patterns.length === 0) continue;
      const shadowed = createShadowFinder(page, layer);
      for (const pattern of patterns) {
        const why = shadowed(pattern);
        if (why !== undefined) report(ruleShadowed.at(pattern.span, { pattern: getText(pattern.span), why }));
      }
    }
  },
});

function createShadowFinder(page: Page, layer: OwnLayer): (pattern: BoundPattern) => string | undefined {
  const answerOf = createAnswerLookup(page.model, computeAnswersWithin(page, layer));
  const decided = findDecidedKeys(page.model, layer.said);
  return (pattern) => {
    if (pattern.tools.length === 0) return undefined;
    if (pattern.tools.every((tool) => answerOf(tool)?.suppressed === true)) return "its tools do not exist here";
    if (decided.has(pattern.key) || isCategory(pattern)) return undefined;
    return "more specific rules cover all of its tools";
  };
}

function isCategory(pattern: BoundPattern): boolean {
  return pattern.category !== undefined || pattern.key === EVERYTHING;
}
