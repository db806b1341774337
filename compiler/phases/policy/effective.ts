import type { Span } from "../../../lang/text/index.ts";
import type {
  BoundLabel,
  BoundQuota,
  BoundTimeLimit,
  Choice,
  ConsentDuration,
  Principal,
  Session,
} from "../bind/index.ts";
import { formatQuotaKey } from "../bind/index.ts";
import { listBases, type Place } from "./place.ts";

// Computes the effective settings of a session, including settings that it inherits from its bases. A session in the
// model contains only its own settings. If several bases have a setting, the setting of the nearest base counts.

/** Returns the setting of the session, or of its nearest base that has this setting; `undefined` if none has it. */
function findNearest<T>(session: Session, said: (session: Session) => T | undefined): T | undefined {
  for (const at of listBases(session)) {
    const found = said(at);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function getSessionKind(session: Session): Session["kind"] {
  return findNearest(session, (at) => at.kind);
}

export function getPrincipals(session: Session): readonly Principal[] {
  return findNearest(session, (at) => at.principals) ?? [];
}

export function getStartLabel(session: Session): BoundLabel | undefined {
  return findNearest(session, (at) => at.starts);
}

export function getClearance(session: Session): BoundLabel | undefined {
  return findNearest(
    session,
    (at) => getLastDefined(at.widenings.map((widening) => widening.clearance)) ?? at.clearance,
  );
}

/**
 * Cache of the backends of each session. The backends are read for every row, law and advice. Without the cache this
 * would be slow, because a session may have a chain of ten thousand bases.
 */
const models = new WeakMap<Session, readonly Choice[]>();

/**
 * Returns the backends in the page's order. A widening replaces the modes of backends that are already in the list, and
 * appends new backends.
 */
export function getModels(session: Session): readonly Choice[] {
  const known = models.get(session) ?? joinModels(session);
  models.set(session, known);
  return known;
}

/**
 * Returns the first backend that may answer without asking a person, or `undefined` if there is none. The embedder of
 * this backend embeds the session's messages.
 */
export function findFirstUnasked(session: Session): Choice | undefined {
  return getModels(session).find(({ mode }) => mode === "auto");
}

function joinModels(session: Session): readonly Choice[] {
  const plain = session.models ?? (session.base === undefined ? [] : getModels(session.base));
  const widened = new Map(
    session.widenings.flatMap(({ models }) => models ?? []).map((choice) => [choice.backend, choice]),
  );
  const kept = plain.map((choice) => widened.get(choice.backend) ?? choice);
  const named = new Set(plain.map(({ backend }) => backend));
  return [...kept, ...[...widened.values()].filter(({ backend }) => !named.has(backend))];
}

function getLastDefined<T>(items: readonly (T | undefined)[]): T | undefined {
  return items.filter((item) => item !== undefined).at(-1);
}

/** A quota, and the session, task, phase or worker whose line states it. */
export interface HeldQuota {
  readonly owner: string;
  readonly quota: BoundQuota;
}

const heldQuotas = new WeakMap<Session, ReadonlyMap<string, HeldQuota>>();

/**
 * Returns the quotas of a session by key. The session's own quotas replace inherited quotas with the same key, and
 * quotas of its widenings replace both.
 */
export function getQuotas(session: Session): ReadonlyMap<string, HeldQuota> {
  const known = heldQuotas.get(session) ?? joinQuotas(session);
  heldQuotas.set(session, known);
  return known;
}

function joinQuotas(session: Session): ReadonlyMap<string, HeldQuota> {
  const quotas = new Map(session.base === undefined ? [] : getQuotas(session.base));
  const widened = session.widenings.flatMap((widening) => widening.quotas);
  for (const quota of [...session.quotas, ...widened]) quotas.set(formatQuotaKey(quota), { owner: session.id, quota });
  return quotas;
}

export function getTimeouts(session: Session): ReadonlyMap<BoundTimeLimit["scope"], BoundTimeLimit> {
  const timeouts = new Map(session.base === undefined ? [] : getTimeouts(session.base));
  for (const limit of session.timeouts) timeouts.set(limit.scope, limit);
  return timeouts;
}

/**
 * Returns the quotas that apply in a place: the quotas of the session, and each quota line of the task, the phase and
 * the worker. Each of these quotas has its own counter. Quotas per task apply only inside a task.
 */
export function collectQuotas({ session, task, layers }: Place): readonly HeldQuota[] {
  const within = layers.flatMap(({ id, said }) => said.quotas.map((quota) => ({ owner: id, quota })));
  const held = [...getQuotas(session).values(), ...within];
  return held.filter(({ quota }) => quota.scope !== "task" || task !== undefined);
}

/** Returns the shortest time limit for each scope, among the limits of all layers. */
export function computeTimeLimits({ session, layers }: Place): ReadonlyMap<BoundTimeLimit["scope"], number> {
  const limits = new Map([...getTimeouts(session)].map(([scope, { milliseconds }]) => [scope, milliseconds]));
  for (const { scope, milliseconds } of layers.flatMap(({ said }) => said.timeouts)) {
    limits.set(scope, Math.min(limits.get(scope) ?? milliseconds, milliseconds));
  }
  return limits;
}

/** Kind of credential that unlocks a session, and the session whose line declares it. */
interface HeldLogin {
  readonly owner: string;
  readonly login: NonNullable<Session["login"]>;
}

export function getLogin(session: Session): HeldLogin | undefined {
  return findNearest(session, (at) => at.login && { owner: at.id, login: at.login });
}

/** The line that requires a task, and the session that contains the line. */
interface HeldRequirement {
  readonly owner: string;
  readonly span: Span;
}

/**
 * Returns the `requires task` line of the session or of its nearest base that has one; `undefined` if the session may
 * work outside of tasks.
 */
export function getTaskRequirement(session: Session): HeldRequirement | undefined {
  return findNearest(session, (at) => at.taskRequirement && { owner: at.id, ...at.taskRequirement });
}

type Remembering = ConsentDuration | "none";
const SHORTEST_FIRST: readonly Remembering[] = ["none", "turn", "conversation"];

/** Returns how long consent is remembered: as long as the session states, but no longer than each layer allows. */
export function computeRemembering({ session, layers }: Place): Remembering {
  return layers.reduce((kept, { said }) => chooseShorter(kept, said.remember?.scope), getSessionRemembering(session));
}

function getSessionRemembering({ remember, base, relation }: Session): Remembering {
  if (base === undefined) return remember?.scope ?? "none";
  const inherited = getSessionRemembering(base);
  return relation === "extends" ? chooseShorter(inherited, remember?.scope) : (remember?.scope ?? inherited);
}

function chooseShorter(kept: Remembering, said: ConsentDuration | undefined): Remembering {
  if (said === undefined) return kept;
  return SHORTEST_FIRST.indexOf(said) < SHORTEST_FIRST.indexOf(kept) ? said : kept;
}
