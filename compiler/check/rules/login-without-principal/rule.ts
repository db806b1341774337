import type { Session } from "../../../bind/index.ts";
import { loginOf, principalsOf } from "../../../policy/index.ts";
import { defineLaw } from "../../law.ts";
import { loginWithoutPrincipal } from "./codes.ts";

/** Asked of each session that a conversation can be in, wherever its `login` is written. */
export const rule = defineLaw({
  reports: [loginWithoutPrincipal],
  check: ({ model }, report) => {
    if (model.damaged) return;
    for (const session of model.sessions) {
      const held = loginOf(session);
      if (held === undefined || !lacksKey(session)) continue;
      const at = session.login?.span ?? session.node.name.span;
      report(loginWithoutPrincipal.at(at, { session: session.id }));
    }
  },
});

/** A key that could not be read was reported: the principal counts as one who has a key. */
function lacksKey(session: Session): boolean {
  if (session.abstract || session.damaged || !session.own) return false;
  return principalsOf(session).every(({ node }) => node.proofs.every(({ kind }) => kind !== "ssh") && !node.damaged);
}
