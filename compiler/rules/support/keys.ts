import type { Session } from "../../phases/bind/index.ts";
import { getPrincipals } from "../../phases/policy/index.ts";

/**
 * Returns whether no principal of the session can sign a step-up. A passphrase can only be used for a login. An unreadable key was already
 * reported, so its principal counts as having a key.
 */
export function isWithoutKey(session: Session): boolean {
  if (session.abstract || session.damaged) return false;
  return getPrincipals(session).every(({ node }) => node.proofs.every(({ kind }) => kind !== "ssh") && !node.damaged);
}
