import { getText } from "../../../../lang/text/index.ts";
import type { BoundLine, BoundPattern } from "../../../phases/bind/index.ts";
import { type Answer, canReachLooser, getOutcomes, groupLinesByKey, reachOf } from "../../../phases/policy/index.ts";
import { createAnswerLookup } from "../../support/answers.ts";
import type { Page } from "../../support/law.ts";
import { findAnswersAround, type OwnLayer } from "../../support/own-layers.ts";
import type { ParentWidening } from "./parent-widenings.ts";

/**
 * Returns rules for single methods that are looser than the parent's decision. A broad rule that is looser for some
 * tools is not reported. For these tools the parent's stricter decision applies anyway, and the rule may narrow other
 * tools.
 */
export function findWiderLines(page: Page, layer: OwnLayer): ParentWidening[] {
  const { lines } = layer.said;
  if (lines.length === 0) return [];
  const answerOf = createAnswerLookup(page.model, findAnswersAround(page, layer));
  const byKey = groupLinesByKey(layer.said);
  return lines.flatMap((line) =>
    line.patterns
      .filter((pattern) => pattern.exact)
      .flatMap((pattern) => {
        const has = pattern.tools
          .map((tool) => describeStricterParent(line, byKey.get(pattern.key) ?? [line], answerOf(tool)))
          .find((text) => text !== undefined);
        return has === undefined ? [] : [{ at: pattern.span, what: describePattern(line, pattern), has }];
      }),
  );
}

function describePattern(line: BoundLine, pattern: BoundPattern): string {
  return `\`${line.node.isInherited ? "inherit" : line.mode}\` for \`${getText(pattern.span)}\``;
}

/**
 * Returns a description of the parent's decision if the rule is looser than this decision in two cases: alone, and
 * together with the other rules for its pattern (`beside`). Otherwise returns `undefined`. If the parent has no rule for the tool, every rule counts as
 * looser. A rule with `inherit` is never looser than rules of the parent.
 */
function describeStricterParent(
  line: BoundLine,
  beside: readonly BoundLine[],
  parent: Answer | undefined,
): string | undefined {
  if (parent === undefined || parent.suppressed) return undefined;
  if (parent.clauses.length === 0) return "no rule for the tool, so that it never runs";
  if (line.node.isInherited) return undefined;
  const reach = reachOf(parent.clauses);
  const isLooser = (lines: readonly BoundLine[]) => canReachLooser(reachOf(lines.map(getOutcomes)), reach);
  if (!isLooser([line]) || !isLooser(beside)) return undefined;
  return parent.clauses.map((clause) => `\`${clause.rule.words}\``).join(" and ");
}
