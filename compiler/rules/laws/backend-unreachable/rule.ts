import type { Choice, Session } from "../../../phases/bind/index.ts";
import { getModels, selectRowSessions } from "../../../phases/policy/index.ts";
import { isBelow } from "../../support/labels.ts";
import { defineLaw, type Report } from "../../support/law.ts";
import { backendUnreachable } from "./codes.ts";

/**
 * Reports backends that no session names. Also reports backends that a session never uses: a forbidden backend, or a
 * backend after one that always answers (ruling 9).
 */
export const rule = defineLaw({
  reports: [backendUnreachable],
  check: ({ model }, report) => {
    const sessions = selectRowSessions(model);
    const chosen = new Set(sessions.flatMap((session) => getModels(session).map((choice) => choice.backend)));
    const whole = !model.damaged && model.sessions.every((session) => !session.damaged);
    for (const backend of model.backends) {
      if (whole && sessions.length > 0 && !chosen.has(backend)) {
        report(backendUnreachable.at(backend.span, { backend: backend.name, why: "no session names it" }));
      }
    }
    for (const session of model.sessions) checkOrder(session, report);
  },
});

function checkOrder({ models }: Session, report: Report): void {
  const before: Choice[] = [];
  for (const choice of models ?? []) {
    const { backend, mode, span } = choice;
    // An earlier backend with the mode `auto` answers in all conversations that it may receive. If it may receive all
    // data that this backend may receive, this backend never answers.
    const first = before.find((other) => other.mode === "auto" && isBelow(backend.clearance, other.backend.clearance));
    const why = mode === "forbidden" ? "it is forbidden" : first && `\`${first.backend.name}\` before it always does`;
    if (why !== undefined) report(backendUnreachable.at(span, { backend: backend.name, why }));
    before.push(choice);
  }
}
