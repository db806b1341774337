import { textOf } from "../../../../lang/text/index.ts";
import { type BoundPattern, EVERYTHING } from "../../../phases/bind/index.ts";
import { decidedKeys } from "../../../phases/policy/index.ts";
import { byTool } from "../../support/answers.ts";
import { defineLaw, type Page } from "../../support/law.ts";
import { answersWithin, type Written, writtenIn } from "../../support/written.ts";
import { ruleShadowed } from "./codes.ts";

/** Ruling 18. A category wholly covered by more specific lines is merely redundant, which lint says. */
export const rule = defineLaw({
  reports: [ruleShadowed],
  check: (page, report) => {
    if (page.model.damaged) return;
    for (const layer of writtenIn(page.model)) {
      const patterns = layer.said.lines.flatMap((line) => line.patterns);
      if (patterns.length === 0) continue;
      const shadowed = shadowOf(page, layer);
      for (const pattern of patterns) {
        const why = shadowed(pattern);
        if (why !== undefined) report(ruleShadowed.at(pattern.span, { pattern: textOf(pattern.span), why }));
      }
    }
  },
});

function shadowOf(page: Page, layer: Written): (pattern: BoundPattern) => string | undefined {
  const answerOf = byTool(page.model, answersWithin(page, layer));
  const decided = decidedKeys(page.model, layer.said);
  return (pattern) => {
    if (pattern.tools.length === 0) return undefined;
    if (pattern.tools.every((tool) => answerOf(tool)?.suppressed === true)) return "its tools do not exist here";
    if (decided.has(pattern.key) || isCategory(pattern)) return undefined;
    return "more specific lines cover all of its tools";
  };
}

function isCategory(pattern: BoundPattern): boolean {
  return pattern.category !== undefined || pattern.key === EVERYTHING;
}
