import type { Session } from "../../phases/bind/index.ts";
import { getPrincipals } from "../../phases/policy/index.ts";

/**
 * Returns whether nobody in the session could pass step-up. A passphrase is not enough, because it can only sign a
 * login. A key that could not be read was reported, so its principal counts as one with a key.
 */
export function isWithoutKey(session: Session): boolean {
  if (session.abstract || session.damaged) return false;
  return getPrincipals(session).every(({ node }) => node.proofs.every(({ kind }) => kind !== "ssh") && !node.damaged);
}
