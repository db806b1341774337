import type { BoundLabel, BoundQuota, BoundTimeLimit, Choice, Principal, Session } from "../bind/index.ts";
import { quotaKey } from "../bind/index.ts";

// What a session has of the things that are written once, with its bases taken into account. Each session says only
// what it writes itself; the nearest one that says it counts.

/** The nearest of a session and its bases that says something. */
function nearestSaid<T>(session: Session, said: (session: Session) => T | undefined): T | undefined {
  for (let at: Session | undefined = session; at !== undefined; at = at.base) {
    const found = said(at);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function kindOf(session: Session): Session["kind"] {
  return nearestSaid(session, (at) => at.kind);
}

export function principalsOf(session: Session): readonly Principal[] {
  return nearestSaid(session, (at) => at.principals) ?? [];
}

export function startsOf(session: Session): BoundLabel | undefined {
  return nearestSaid(session, (at) => at.starts);
}

export function clearanceOf(session: Session): BoundLabel | undefined {
  return nearestSaid(session, (at) => last(at.widenings.map((widening) => widening.clearance)) ?? at.clearance);
}

/** In the page's order. A widening replaces the backends that it names where they stand, and puts new ones behind. */
export function modelsOf(session: Session): readonly Choice[] {
  const plain = session.models ?? (session.base === undefined ? [] : modelsOf(session.base));
  const widened = new Map(
    session.widenings.flatMap(({ models }) => models ?? []).map((choice) => [choice.backend, choice]),
  );
  const kept = plain.map((choice) => widened.get(choice.backend) ?? choice);
  const named = new Set(plain.map(({ backend }) => backend));
  return [...kept, ...[...widened.values()].filter(({ backend }) => !named.has(backend))];
}

function last<T>(items: readonly (T | undefined)[]): T | undefined {
  return items.filter((item) => item !== undefined).at(-1);
}

/** A quota with the session that wrote it. */
export interface HeldQuota {
  readonly session: Session;
  readonly quota: BoundQuota;
}

/** By key: what a session writes goes before what it inherits, and what it widens before both. */
export function quotasOf(session: Session): ReadonlyMap<string, HeldQuota> {
  const quotas = new Map(session.base === undefined ? [] : quotasOf(session.base));
  const widened = session.widenings.flatMap((widening) => widening.quotas);
  for (const quota of [...session.quotas, ...widened]) quotas.set(quotaKey(quota), { session, quota });
  return quotas;
}

export function timeoutsOf(session: Session): ReadonlyMap<BoundTimeLimit["scope"], BoundTimeLimit> {
  const timeouts = new Map(session.base === undefined ? [] : timeoutsOf(session.base));
  for (const limit of session.timeouts) timeouts.set(limit.scope, limit);
  return timeouts;
}
