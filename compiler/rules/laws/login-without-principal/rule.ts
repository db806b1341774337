import type { LoginProof, Session } from "../../../phases/bind/index.ts";
import { getLogin, getPrincipals } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/law.ts";
import { loginWithoutPrincipal } from "./codes.ts";

/** Reports sessions that can run and have a `login`, own or inherited, that no principal can satisfy. */
export const rule = defineLaw({
  reports: [loginWithoutPrincipal],
  check: ({ model }, report) => {
    if (model.damaged) return;
    for (const session of model.sessions) {
      const held = getLogin(session);
      if (held === undefined || !isWithoutProof(session, held.login.proof)) continue;
      const at = session.login?.span ?? session.node.name.span;
      report(loginWithoutPrincipal.at(at, { session: session.id, proof: held.login.proof }));
    }
  },
});

/**
 * Returns whether no principal of the session has the required key or passphrase. A principal whose key could not be
 * read counts as a principal with a key, because another finding already reports the key.
 */
function isWithoutProof(session: Session, proof: LoginProof): boolean {
  if (session.abstract || session.damaged || !session.own) return false;
  const wanted = proof === "key" ? "ssh" : "passphrase";
  return getPrincipals(session).every(({ node }) => node.proofs.every(({ kind }) => kind !== wanted) && !node.damaged);
}
