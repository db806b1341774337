import { getText } from "../../../../lang/text/index.ts";
import type { BoundLine, BoundPattern } from "../../../phases/bind/index.ts";
import { type Answer, canReachLooser, getOutcomes, reachOf } from "../../../phases/policy/index.ts";
import { createAnswerLookup } from "../../support/answers.ts";
import type { Page } from "../../support/law.ts";
import { findAnswersAround, type OwnLayer } from "../../support/own-layers.ts";
import type { ParentWidening } from "./parent-widenings.ts";

/**
 * Lines that name single methods and answer looser than the parent. A broad line that is looser somewhere is no
 * mistake: the strictest answer wins, and it may well narrow elsewhere.
 */
export function findWiderLines(page: Page, layer: OwnLayer): ParentWidening[] {
  const { lines } = layer.said;
  if (lines.length === 0) return [];
  const answerOf = createAnswerLookup(page.model, findAnswersAround(page, layer));
  return lines.flatMap((line) =>
    line.patterns
      .filter((pattern) => pattern.exact)
      .flatMap((pattern) => {
        const has = pattern.tools
          .map((tool) => describeStricterParent(line, answerOf(tool)))
          .find((text) => text !== undefined);
        return has === undefined ? [] : [{ at: pattern.span, what: describePattern(line, pattern), has }];
      }),
  );
}

function describePattern(line: BoundLine, pattern: BoundPattern): string {
  return `\`${line.mode}\` for \`${getText(pattern.span)}\``;
}

/** What the parent has, where the line is looser. */
function describeStricterParent(line: BoundLine, parent: Answer | undefined): string | undefined {
  if (parent === undefined || parent.suppressed) return undefined;
  if (parent.clauses.length === 0) return "no line for it, so that it never runs";
  if (!canReachLooser(reachOf([getOutcomes(line)]), reachOf(parent.clauses))) return undefined;
  return parent.clauses.map((clause) => `\`${clause.rule.words}\``).join(" and ");
}
