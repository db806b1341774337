import type { Session } from "../../../phases/bind/index.ts";
import { getTaskRequirement, listExtended } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/law.ts";
import { sessionWithoutTask } from "./codes.ts";

/**
 * Reports sessions that require a task, by their own line or an inherited one, although they have no task. Abstract
 * sessions are skipped, because they never run.
 */
export const rule = defineLaw({
  reports: [sessionWithoutTask],
  check: ({ model }, report) => {
    if (model.damaged) return;
    const withTasks = new Set(model.tasks.map(({ session }) => session));
    const hasTask = (session: Session) => listExtended(session).some((at) => withTasks.has(at));
    for (const session of model.sessions) {
      const isAsked = session.own && !session.abstract && !session.damaged;
      if (!isAsked || getTaskRequirement(session) === undefined || hasTask(session)) continue;
      const at = session.taskRequirement?.span ?? session.node.name.span;
      report(sessionWithoutTask.at(at, { session: session.id }));
    }
  },
});
