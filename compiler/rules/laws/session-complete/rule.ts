import {
  getModels,
  getSessionKind,
  getSessionOfPlans,
  isCovered,
  selectRowSessions,
} from "../../../phases/policy/index.ts";
import { defineLaw, type Page, type Report } from "../../support/law.ts";
import { noSession, sessionWithoutKind, sessionWithoutModel, sessionWithoutTools } from "./codes.ts";

/**
 * Checks that a session has a kind, a model, and at least one tool, its own or an inherited one. A session that
 * executes plans needs no model.
 */
export const rule = defineLaw({
  reports: [noSession, sessionWithoutKind, sessionWithoutModel, sessionWithoutTools],
  check: (page, report) => {
    const { model } = page;
    const sessions = selectRowSessions(model);
    const planned = new Set(model.services.map(getSessionOfPlans));
    const name = model.system?.name.span;
    // If the page is damaged, sessions may be missing because of a syntax error.
    if (model.damaged) return;
    if (sessions.length === 0 && name !== undefined) report(noSession.at(name, {}));
    for (const session of sessions.filter(({ damaged }) => !damaged)) {
      const at = session.node.name.span;
      const facts = { session: session.id };
      if (getSessionKind(session) === undefined) report(sessionWithoutKind.at(at, facts));
      const isSilent = getModels(session).length === 0;
      if (isSilent && !planned.has(session.id)) report(sessionWithoutModel.at(at, facts));
      checkTools(page, session, report);
    }
  },
});

type Sessions = ReturnType<typeof selectRowSessions>[number];

function checkTools({ resolution }: Page, session: Sessions, report: Report): void {
  const covered = resolution.get(session)?.some(isCovered) ?? false;
  // Another law reports each line that covers no tool.
  const hasLines = session.lines.length > 0 || session.widenings.length > 0;
  if (covered || hasLines) return;
  report(sessionWithoutTools.at(session.node.name.span, { session: session.id }));
}
