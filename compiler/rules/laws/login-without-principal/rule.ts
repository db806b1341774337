import type { LoginProof, Session } from "../../../phases/bind/index.ts";
import { getLogin, getPrincipals } from "../../../phases/policy/index.ts";
import { defineLaw } from "../../support/law.ts";
import { loginWithoutPrincipal } from "./codes.ts";

/** Checks each session that a conversation can be in, wherever its `login` is written. */
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

/** Returns whether the session has no such proof. A key that could not be read was reported, so its principal counts as one with a key. */
function isWithoutProof(session: Session, proof: LoginProof): boolean {
  if (session.abstract || session.damaged || !session.own) return false;
  const wanted = proof === "key" ? "ssh" : "passphrase";
  return getPrincipals(session).every(({ node }) => node.proofs.every(({ kind }) => kind !== wanted) && !node.damaged);
}
