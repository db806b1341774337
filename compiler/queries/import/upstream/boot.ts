// Chooses the session that boots, which no manifest states. The choice matters if a person is in several sessions.
// An account of upstream has only one profile. For a person in several sessions, a build writes the profile of the
// session that boots, if the person is in it, or of the person's first session.

import type { SystemConfig } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { compareCodeUnits } from "../../../../lang/text/index.ts";
import type { Session } from "./sessions.ts";

/**
 * Returns the name of the session that boots, or an empty text if there are no sessions. If several sessions can boot,
 * it prefers an operator's session, then the first name in code-unit order.
 */
export function bootOf(sessions: readonly Session[], { seedAccounts }: SystemConfig): string {
  const rank = ({ kind }: Session) => (kind === "operator" ? 0 : 1);
  const inOrder = [...sessions].sort((one, other) => compareCodeUnits(one.name, other.name));
  const preferred = [...inOrder].sort((one, other) => rank(one) - rank(other));
  // Only the session that boots may have people without a login.
  const closed = preferred.find(({ login, principals }) => login === "none" && principals.length > 0);
  const profiles = new Map(seedAccounts.map(({ name, resourceProfile }) => [name, resourceProfile]));
  const fitting = preferred.find((boot) =>
    hasMatchingProfiles([boot, ...inOrder.filter((each) => each !== boot)], profiles),
  );
  return (closed ?? fitting ?? preferred[0])?.name ?? "";
}

function hasMatchingProfiles(sessions: readonly Session[], profiles: ReadonlyMap<string, string>): boolean {
  const first = new Map<string, string>();
  for (const { name, principals } of sessions)
    for (const account of principals.length > 0 ? principals : [name])
      if (!first.has(account)) first.set(account, name);
  return [...first].every(([account, session]) => profiles.get(account) === session);
}
