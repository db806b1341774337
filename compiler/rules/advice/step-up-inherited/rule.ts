import type { Session } from "../../../phases/bind/index.ts";
import { isCovered, selectRowSessions } from "../../../phases/policy/index.ts";
import { createSessionAnswers, defineLaw, isWithoutKey, type Page } from "../../support/index.ts";
import { stepUpInherited } from "./codes.ts";

/**
 * Reports inherited step-up lines in sessions in which no principal has a key. If a session itself writes such a line, a
 * law reports an error.
 */
export const rule = defineLaw({
  reports: [stepUpInherited],
  check: (page, report) => {
    if (page.model.damaged) return;
    for (const session of selectRowSessions(page.model).filter(isWithoutKey)) {
      const tools = findGatedTools(page, session);
      if (tools.length > 0) report(stepUpInherited.at(session.node.name.span, { session: session.id, tools }));
    }
  },
});

function findGatedTools(page: Page, session: Session): readonly string[] {
  const answerOf = createSessionAnswers(page, session);
  const { source, start, end } = session.node.span;
  return page.model.tools.flatMap((tool) => {
    const answer = answerOf(tool);
    if (!isCovered(answer)) return [];
    const isOut = answer.clauses.some(({ met, otherwise }) => met === "forbidden" && otherwise === "forbidden");
    const inherited = answer.clauses.filter(
      ({ rule: { span } }) => span.source !== source || span.start < start || span.end > end,
    );
    return !isOut && inherited.some(({ met, otherwise }) => met === "stepUp" || otherwise === "stepUp")
      ? [tool.name]
      : [];
  });
}
