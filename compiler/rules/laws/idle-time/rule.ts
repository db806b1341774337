import { renderTimeLimit } from "../../../../lang/format/index.ts";
import type { BoundTimeLimit } from "../../../phases/bind/index.ts";
import { enumeratePlaces, getLogin, getTimeouts, type Place } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/law.ts";
import { collectLayers } from "../../support/own-layers.ts";
import { idleAfterLogin, idleWithoutLogin } from "./codes.ts";

export const rule = defineLaw({
  reports: [idleWithoutLogin, idleAfterLogin],
  check: ({ model }, report) => {
    if (model.damaged) return;
    const told = new Set<unknown>();
    for (const place of enumeratePlaces(model)) {
      const { session } = place;
      if (session.damaged || getLogin(session) !== undefined) continue;
      for (const at of findIdleSpans(place)) {
        // All phases of a task share the task's line about the idle time. Each phase finds this line again, but it is
        // reported once.
        if (told.has(at)) continue;
        told.add(at);
        report(idleWithoutLogin.at(at, { session: session.id }));
      }
    }
    for (const { said, session } of collectLayers(model)) {
      const idle = limitOf(said.timeouts, "idle");
      if (idle === undefined) continue;
      const logins = [limitOf(said.timeouts, "login"), getTimeouts(session).get("login")];
      const login = logins.find((limit) => limit !== undefined && limit.milliseconds <= idle.milliseconds);
      if (login === undefined) continue;
      report(
        idleAfterLogin.at(idle.node.span, { idle: renderTimeLimit(idle.node), login: renderTimeLimit(login.node) }),
      );
    }
  },
});

/**
 * Returns the positions of the idle times that apply in a place: in its task, phase or worker, and in the session. For
 * an inherited idle time, returns the position of the session's name.
 */
function findIdleSpans({ session, layers }: Place) {
  const own = limitOf(session.timeouts, "idle")?.node.span;
  const inherited = getTimeouts(session).has("idle") ? [session.node.name.span] : [];
  const within = layers.flatMap(({ said }) => limitOf(said.timeouts, "idle")?.node.span ?? []);
  return [...(own === undefined ? inherited : [own]), ...within];
}

function limitOf(limits: readonly BoundTimeLimit[], scope: BoundTimeLimit["scope"]): BoundTimeLimit | undefined {
  return limits.find((limit) => limit.scope === scope);
}
