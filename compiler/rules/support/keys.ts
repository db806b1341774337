import type { Session } from "../../phases/bind/index.ts";
import { getPrincipals } from "../../phases/policy/index.ts";

/**
 * Returns whether nobody in the session could pass step-up. A passphrase is not enough, because it can only sign a
 * login. A principal whose key could not be read counts as a principal with a key, because another finding already
 * reports the key.
 */
export function isWithoutKey(session: Session): boolean {
  if (session.abstract || session.damaged) return false;
  return getPrincipals(session).every(({ node }) => node.proofs.every(({ kind }) => kind !== "ssh") && !node.damaged);
}
