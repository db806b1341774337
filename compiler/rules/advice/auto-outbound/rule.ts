import type { Span } from "../../../../lang/text/index.ts";
import { isWithin, type Session, type Tool } from "../../../phases/bind/index.ts";
import { type Answer, isCovered, selectRowSessions } from "../../../phases/policy/index.ts";
import { createSessionAnswers, defineLaw, type Page } from "../../support/index.ts";
import { autoOutbound } from "./codes.ts";

/**
 * Reports lines that let outbound tools run without approval. Lines with a condition are not reported, because the
 * advice recommends a condition on the recipients.
 */
export const rule = defineLaw({
  reports: [autoOutbound],
  check: (page, report) => {
    const outbound = page.model.tools.filter(isOutbound);
    if (outbound.length === 0) return;
    for (const session of selectRowSessions(page.model)) {
      for (const [at, tools] of openTools(page, session, outbound)) {
        report(autoOutbound.at(at, { session: session.id, tools: tools.map(({ name }) => name) }));
      }
    }
  },
});

function isOutbound({ service, method }: Tool): boolean {
  return isWithin(method.category, "outboundNet") || (service.networked && !isWithin(method.category, "readOnly"));
}

/**
 * Returns the tools that run without approval, by the position of the line that allows them. If this line is in the
 * standard library, the position of the session's name is used instead.
 */
function openTools(page: Page, session: Session, outbound: readonly Tool[]): Map<Span, Tool[]> {
  const answerOf = createSessionAnswers(page, session);
  const sources = new Set(page.trees.map(({ source }) => source));
  const open = outbound.filter((tool) => isOpen(answerOf(tool)));
  return Map.groupBy(open, (tool) => {
    const line = answerOf(tool)?.clauses[0]?.rule.span;
    return line !== undefined && sources.has(line.source) ? line : session.node.name.span;
  });
}

function isOpen(answer: Answer | undefined): boolean {
  return isCovered(answer) && answer.clauses.every(({ met, checks }) => met === "auto" && checks.length === 0);
}
