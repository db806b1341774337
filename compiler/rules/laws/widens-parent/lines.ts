import { textOf } from "../../../../lang/text/index.ts";
import type { BoundLine, BoundPattern } from "../../../phases/bind/index.ts";
import { type Answer, outcomesOfLine, reachesLooser, reachOf } from "../../../phases/policy/index.ts";
import { byTool } from "../../support/answers.ts";
import type { Page } from "../../support/law.ts";
import { answersAround, type Written } from "../../support/written.ts";
import type { Wider } from "./wider.ts";

/**
 * Lines that name single methods and answer looser than the parent. A broad line that is looser somewhere is no
 * mistake: the strictest answer wins, and it may well narrow elsewhere.
 */
export function widerLines(page: Page, layer: Written): Wider[] {
  const { lines } = layer.said;
  if (lines.length === 0) return [];
  const answerOf = byTool(page.model, answersAround(page, layer));
  return lines.flatMap((line) =>
    line.patterns
      .filter((pattern) => pattern.exact)
      .flatMap((pattern) => {
        const has = pattern.tools.map((tool) => looserThan(line, answerOf(tool))).find((text) => text !== undefined);
        return has === undefined ? [] : [{ at: pattern.span, what: whatOf(line, pattern), has }];
      }),
  );
}

function whatOf(line: BoundLine, pattern: BoundPattern): string {
  return `\`${line.mode}\` for \`${textOf(pattern.span)}\``;
}

/** What the parent has, where the line is looser. */
function looserThan(line: BoundLine, parent: Answer | undefined): string | undefined {
  if (parent === undefined || parent.suppressed) return undefined;
  if (parent.clauses.length === 0) return "no line for it, so that it never runs";
  if (!reachesLooser(reachOf([outcomesOfLine(line)]), reachOf(parent.clauses))) return undefined;
  return parent.clauses.map((clause) => `\`${clause.rule.words}\``).join(" and ");
}
