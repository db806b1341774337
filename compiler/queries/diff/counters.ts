// Models the counters of the broker. A quota of a page has one counter for all rows of its session that contain its
// line, or one counter for each person. Other tables enforce the quota only if one of their counters counts the same
// uses or more, over the same time or longer, with the same limit or a lower limit.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Quota, Row } from "../../../engine/lib/wire/generated/policy.ts";
import { type Place, placeKey } from "./places.ts";

/** Use that quotas count: by a principal in a row, or by a backend that answers this principal there. */
interface Point {
  readonly place: Place;
  readonly row: string;
  /** Principal who logged in; empty if no login is required. */
  readonly actor: string;
  /** Backend whose own quotas count the use; `undefined` if the quotas of the row count it. */
  readonly backend: string | undefined;
}

/**
 * The limit that one quota sets for an account, which is a counter of the broker for a session, a person or a backend.
 */
interface Limit {
  readonly quota: Quota;
  readonly account: Account;
  readonly holds: Set<Point>;
}

interface Account {
  readonly key: string;
  readonly counts: Set<Point>;
}

/** Holder of a counter: a session, or a backend across all sessions. Each quota line of the page is one quota of its holder. */
export type QuotaHolder = { readonly session: string } | { readonly backend: string };

type Scope = Quota["scope"];

/** For each scope, the scopes that always last at least as long. */
const ENCLOSING: Readonly<Record<Scope, readonly Scope[]>> = {
  call: ["call", "turn", "conversation", "task", "login", "hour", "day", "principal"],
  turn: ["turn", "conversation", "task", "principal"],
  // A conversation has at most one task, which lasts as long as the conversation.
  conversation: ["conversation", "task", "principal"],
  task: ["conversation", "task", "principal"],
  login: ["login", "principal"],
  hour: ["hour", "day", "principal"],
  day: ["day"],
  principal: ["principal"],
};

export type QuotaCoverageCheck = (by: QuotaHolder, quota: Quota) => boolean;

/**
 * Returns a function that checks whether `other` enforces a quota of `tables`: in the rows that both tables have,
 * nobody may spend more under `other`. The data for the check are computed at its first call.
 */
export function createHeldCheck(tables: IndexedTables, other: IndexedTables): QuotaCoverageCheck {
  let seen: ReturnType<typeof look> | undefined;
  return (by, { rule }) => {
    seen ??= look(tables, other);
    const { own, theirs } = seen;
    return (own.get(createLineKey(by, rule)) ?? []).every((limit) => isHeld(limit, theirs, other));
  };
}

function look(tables: IndexedTables, other: IndexedTables) {
  const points = collectPoints(other, tables);
  const theirs = Map.groupBy(
    [...collectLimits(other, points).values()]
      .flat()
      .flatMap((limit) => [...limit.holds].map((point) => ({ point, limit }))),
    ({ point }) => point,
  );
  return { own: collectLimits(tables, points), theirs };
}

type LimitsAt = ReadonlyMap<Point, readonly { readonly limit: Limit }[]>;

/**
 * Returns whether the limits of the other tables enforce `limit`. The points (principals and backends in rows) to which
 * `limit` applies are grouped. The uses of a group are counted together, for example those of one session in an hour.
 * For each group, the other tables need one limit that covers the whole group.
 */
function isHeld(limit: Limit, theirs: LimitsAt, { categories, lineage }: IndexedTables): boolean {
  const { quota, holds, account } = limit;
  const findLineage = (name: string) => lineage[categories.findIndex((category) => category.name === name)];
  const counted = Map.groupBy(account.counts, (point) => computeScopeKey(point, quota.scope));
  return [...Map.groupBy(holds, (point) => computeScopeKey(point, quota.scope))].every(([part, points]) => {
    const [first] = points;
    const candidates = first === undefined ? [] : (theirs.get(first) ?? []);
    return candidates.some(
      ({ limit: one }) =>
        one.quota.amount <= quota.amount &&
        ENCLOSING[quota.scope].includes(one.quota.scope) &&
        canCountAll(one.quota, quota, findLineage) &&
        // The data disk stores the count of a quota under a key. If the newer page gives the quota another key, its
        // count starts at 0.
        (!isPersistentQuota(quota) || one.account.key === account.key) &&
        points.every((point) => one.holds.has(point)) &&
        (counted.get(part) ?? []).every((point) => one.account.counts.has(point)),
    );
  });
}

function canCountAll(
  one: Quota,
  { unit, name }: Quota,
  wider: (name: string) => ReadonlySet<string> | undefined,
): boolean {
  if (one.unit === "calls") return unit === "calls" || unit === "category";
  if (one.unit !== unit) return false;
  return one.name === name || (unit === "category" && wider(name)?.has(one.name) === true);
}

export function isPersistentQuota({ scope }: Quota): boolean {
  return scope === "day" || scope === "principal";
}

function computeScopeKey({ place: { session, task, phase, worker }, actor, backend }: Point, scope: Scope): string {
  switch (scope) {
    case "call":
      return JSON.stringify([session, task, phase, worker, actor, backend]);
    case "turn":
    case "conversation":
    case "task":
      return JSON.stringify([session, task, backend]);
    case "login":
      return backend === undefined ? JSON.stringify([session, actor]) : backend;
    case "hour":
    case "day":
      return backend === undefined ? JSON.stringify([session]) : backend;
    case "principal":
      return backend ?? "";
  }
}

/** Returns the principals, and the backends that answer them, in the rows that both tables have. */
function collectPoints(tables: IndexedTables, other: IndexedTables): readonly Point[] {
  const there = new Set(other.rows.map(placeKey));
  return tables.rows.flatMap((place): readonly Point[] => {
    const row = placeKey(place);
    if (!there.has(row)) return [];
    const backends = [undefined, ...collectAllowedBackends(tables, place)];
    const actors = place.login === "none" ? [""] : getPrincipalNames(tables, place);
    return actors.flatMap((actor) => backends.map((backend) => ({ place, row, actor, backend })));
  });
}

export function getPrincipalNames({ principals }: IndexedTables, row: Row): readonly string[] {
  return row.principals.map((at) => principals[at]?.name ?? "");
}

export function collectAllowedBackends({ backends }: IndexedTables, row: Row): readonly string[] {
  return row.backends.flatMap(({ backend, mode }) => (mode === "forbidden" ? [] : (backends[backend]?.name ?? [])));
}

/** Returns the limits that apply to the use by these points, by line and holder of the quota. */
function collectLimits(tables: IndexedTables, points: readonly Point[]): ReadonlyMap<string, readonly Limit[]> {
  const accounts = new Map<string, Account>();
  const limits = new Map<string, Map<string, Limit>>();
  const rows = new Map(tables.rows.map((row) => [placeKey(row), row]));
  for (const point of points) {
    const row = rows.get(point.row);
    if (row === undefined) continue;
    for (const { by, quota, key } of collectCharges(tables, row, point)) {
      const account = accounts.get(key) ?? { key, counts: new Set() };
      accounts.set(key, account);
      account.counts.add(point);
      const line = createLineKey(by, quota.rule);
      const ofLine = limits.get(line) ?? new Map<string, Limit>();
      limits.set(line, ofLine);
      const limit = ofLine.get(key) ?? { quota, account, holds: new Set() };
      ofLine.set(key, limit);
      limit.holds.add(point);
    }
  }
  return new Map([...limits].map(([line, ofLine]) => [line, [...ofLine.values()]]));
}

interface QuotaCharge {
  readonly by: QuotaHolder;
  readonly quota: Quota;
  /** Key of the account, which is a counter of the broker. */
  readonly key: string;
}

function collectCharges(tables: IndexedTables, row: Row, { actor, backend: name }: Point): readonly QuotaCharge[] {
  const everybody = getPrincipalNames(tables, row);
  // A person without access spends nothing. Another fact reports a person who gets access.
  if (row.login !== "none" && !everybody.includes(actor)) return [];
  if (name === undefined) {
    const people = row.login === "none" ? everybody : [actor];
    const { session } = row;
    return row.quotas.flatMap((quota) =>
      deriveAccountKeys(tables, quota, session, people).map((key) => ({ by: { session }, quota, key })),
    );
  }
  const backend = tables.backends.find((one) => one.name === name);
  if (backend === undefined || !collectAllowedBackends(tables, row).includes(name)) return [];
  const people = row.login === "none" ? [] : [actor];
  return backend.quotas.flatMap((quota) =>
    deriveAccountKeys(tables, quota, `backend ${name}`, people).map((key) => ({ by: { backend: name }, quota, key })),
  );
}

/**
 * Returns the keys of the broker's counters for a quota; `ledger` names the session or the backend whose use they
 * count. A property test compares these keys with those of the broker.
 */
function deriveAccountKeys(
  tables: IndexedTables,
  quota: Quota,
  ledger: string,
  people: readonly string[],
): readonly string[] {
  const { scope, unit, name, rule } = quota;
  if (!isPersistentQuota(quota)) return [JSON.stringify([ledger, rule])];
  const whose = scope === "day" ? [ledger] : people.length === 0 ? [`nobody in ${ledger}`] : people;
  return whose.map((one) => JSON.stringify([scope, one, deriveOwnerId(tables, quota), unit, name]));
}

/**
 * Returns the name of the declaration that contains a quota's line. The keys of counters on the data disk contain
 * this name.
 */
export function deriveOwnerId({ rules }: IndexedTables, { rule }: Pick<Quota, "rule">): string {
  return (rules[rule]?.id ?? "").split("/", 1)[0] ?? "";
}

function createLineKey(by: QuotaHolder, rule: number): string {
  return JSON.stringify([by, rule]);
}
