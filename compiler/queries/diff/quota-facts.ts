// Reports each quota once, for the place whose use it counts: a session, a task, a phase, a worker or a backend. A
// quota that a row inherits is not reported for the row.

import { formatRowPath, type IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Backend, Quota, Row } from "../../../engine/lib/wire/generated/policy.ts";
import {
  collectAllowedBackends,
  deriveOwnerId,
  getPrincipalNames,
  isPersistentQuota,
  type QuotaCoverageCheck,
  type QuotaHolder,
} from "./counters.ts";
import type { Fact, Owner } from "./facts.ts";
import { type Place, placeKey } from "./places.ts";

/** Returns the facts of the quotas of all backends, and of the rows that both tables have (`shared`). */
export function collectQuotaFacts(
  tables: IndexedTables,
  shared: ReadonlySet<string>,
  isHeld: QuotaCoverageCheck,
): readonly Fact[] {
  const sessions = Map.groupBy(tables.rows, ({ session }) => session);
  return [
    ...[...sessions].flatMap(([session, rows]) =>
      makeQuotaFacts(collectSessionQuotas(tables, session, rows, shared), isHeld),
    ),
    ...tables.backends.flatMap((backend) => makeQuotaFacts(collectBackendQuotas(tables, backend), isHeld)),
  ];
}

/** A quota, and the place in which it applies. */
interface QuotaStatement {
  readonly by: QuotaHolder;
  readonly quota: Quota;
  readonly place: string;
  /** Key that distinguishes the place from other places with the same name. */
  readonly key: string;
  /** Text that names the rows in which the quota applies, such as ", in task triage alone". Empty if it applies in the whole place. */
  readonly only: string;
  /**
   * Words that state with which other sessions or people the quota is counted together; empty if it is counted alone.
   */
  readonly how: string;
  readonly owner: Owner;
}

/**
 * Groups quotas that count the same things in one place, and returns one fact for each group. `isHeld` returns whether
 * the other page enforces a quota.
 */
function makeQuotaFacts(counted: readonly QuotaStatement[], isHeld: QuotaCoverageCheck): readonly Fact[] {
  const alike = Map.groupBy(counted, ({ key, only, quota: { unit, name, scope } }) =>
    JSON.stringify([key, only, unit, name, scope]),
  );
  return [...alike.values()].flatMap((all): Fact[] => {
    const sorted = all.sort(({ quota: one }, { quota: other }) =>
      one.amount < other.amount ? -1 : one.amount > other.amount ? 1 : 0,
    );
    const [least] = sorted;
    if (least === undefined) return [];
    const { place, key, only, owner, quota } = least;
    return [
      {
        place,
        key,
        what: `${renderQuota(quota)}${only}`,
        value: sorted.map(({ quota: { amount }, how }) => `${amount}${how}`).join(" and "),
        measure: { kind: "held", isHeld: () => sorted.every((one) => isHeld(one.by, one.quota)) },
        without: "more",
        owner,
        rule: quota.rule,
      },
    ];
  });
}

/** Returns what a quota counts: `quota of calls per turn`. */
export function renderQuota(quota: Quota): string {
  return `quota of ${formatUnit(quota)} per ${quota.scope}`;
}

function formatUnit({ unit, name }: Quota): string {
  switch (unit) {
    case "calls":
    case "tokens":
    case "prompts":
    case "bytes":
      return unit;
    case "category":
      return `${name} calls`;
    case "money":
      return `millionths of ${name}`;
  }
}

function collectSessionQuotas(
  tables: IndexedTables,
  session: string,
  rows: readonly Row[],
  shared: ReadonlySet<string>,
): readonly QuotaStatement[] {
  const lines = Map.groupBy(
    rows.flatMap((row) => row.quotas.map((quota) => ({ row, quota }))),
    ({ quota }) => quota.rule,
  );
  const owner = { kind: "session", name: session } as const;
  return [...lines.values()].flatMap((ofLine): QuotaStatement[] => {
    const within = ofLine.map(({ row }) => row);
    const [first] = ofLine;
    if (first === undefined || !within.some((row) => shared.has(placeKey(row)))) return [];
    const { quota } = first;
    const among = rows.filter(({ task }) => quota.scope !== "task" || task !== "");
    const { scope, isAll } = deriveScope(within, among, deriveOwnerId(tables, quota));
    const only = isAll ? "" : `, in ${within.map(formatRowPath).join(", ")} alone`;
    const how = describeCounting(tables, quota, first.row, renderScopePath(session, scope));
    return [
      {
        by: { session },
        quota,
        place: renderScopePath(session, scope),
        key: placeKey({ session, ...scope }),
        only,
        how,
        owner,
      },
    ];
  });
}

/**
 * Part of a session: a task, a phase or a worker. An empty field means any, so a scope of empty fields is the whole
 * session.
 */
type Scope = Omit<Place, "session">;

const PARTS = ["task", "phase", "worker"] as const;
const WHOLE: Scope = { task: "", phase: "", worker: "" };

function renderScopePath(session: string, scope: Scope): string {
  return formatRowPath({ session, ...scope });
}

/**
 * Returns the part of the session in which a quota applies (`scope`), computed from the rows with this quota
 * (`within`). That is the task, phase or worker in `owner`, such as `operator.triage`, if exactly its rows have the
 * quota. Otherwise it is the part that these rows have in common.
 */
function deriveScope(within: readonly Row[], among: readonly Row[], owner: string): { scope: Scope; isAll: boolean } {
  const [, outer = "", inner = ""] = owner.split(".");
  const declared: readonly Scope[] = [
    { ...WHOLE, task: outer, phase: inner },
    { ...WHOLE, task: outer, worker: inner },
    { ...WHOLE, worker: outer },
  ];
  const isAll = (scope: Scope) => {
    const inside = among.filter((row) => PARTS.every((part) => scope[part] === "" || scope[part] === row[part]));
    return inside.length === within.length && new Set(inside).isSupersetOf(new Set(within));
  };
  const found = declared.find(isAll);
  if (found !== undefined) return { scope: found, isAll: true };
  const common = computeCommonScope(within);
  return { scope: common, isAll: isAll(common) };
}

function computeCommonScope(rows: readonly Row[]): Scope {
  const findCommonName = (part: keyof Scope) => {
    const [name = "", ...others] = new Set(rows.map((row) => row[part]));
    return others.length === 0 ? name : "";
  };
  return { task: findCommonName("task"), phase: findCommonName("phase"), worker: findCommonName("worker") };
}

/**
 * Returns words about the counting of a persistent quota, or an empty text if the quota is not persistent. The key of a
 * count on the disk is the owner of the line and the principal, so several sessions may share a count.
 */
function describeCounting(tables: IndexedTables, quota: Quota, row: Row, place: string): string {
  if (!isPersistentQuota(quota)) return "";
  const owner = deriveOwnerId(tables, quota);
  const kept = owner === place ? "" : `, as ${owner}`;
  return `${kept}${quota.scope === "principal" ? describeSharing(tables, quota, owner, row) : ""}`;
}

function describeSharing(tables: IndexedTables, { unit, name }: Quota, owner: string, row: Row): string {
  const people = new Set(row.principals);
  const beside = (getSharedRows(tables).get(JSON.stringify([owner, unit, name])) ?? []).filter(
    ({ session, principals }) => session !== row.session && principals.some((one) => people.has(one)),
  );
  const sessions = [...new Set(beside.map(({ session }) => session))];
  const together =
    row.login === "none" && people.size > 1 ? `, of ${getPrincipalNames(tables, row).join(" and ")} together` : "";
  return `${together}${sessions.length === 0 ? "" : `, together with ${sessions.join(", ")}`}`;
}

const sharers = new WeakMap<IndexedTables, ReadonlyMap<string, readonly Row[]>>();

/**
 * Returns the rows with quotas per principal, by owner, unit and name of the quota. If rows of several sessions have
 * one key, their calls for one person are counted together. The result is stored, because a page may have thousands of
 * rows.
 */
function getSharedRows(tables: IndexedTables): ReadonlyMap<string, readonly Row[]> {
  const known = sharers.get(tables) ?? indexSharedRows(tables);
  sharers.set(tables, known);
  return known;
}

function indexSharedRows(tables: IndexedTables): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, Row[]>();
  for (const row of tables.rows) {
    for (const quota of row.quotas.filter(({ scope }) => scope === "principal")) {
      const key = JSON.stringify([deriveOwnerId(tables, quota), quota.unit, quota.name]);
      const known = rows.get(key) ?? [];
      rows.set(key, known);
      known.push(row);
    }
  }
  return rows;
}

function collectBackendQuotas(tables: IndexedTables, { name, quotas }: Backend): readonly QuotaStatement[] {
  const place = `backend ${name}`;
  const open = tables.rows.filter((row) => row.login === "none" && collectAllowedBackends(tables, row).includes(name));
  const sessions = [...new Set(open.map(({ session }) => session))];
  return quotas.map((quota) => {
    const owner = deriveOwnerId(tables, quota);
    const kept = isPersistentQuota(quota) && owner !== place ? `, as ${owner}` : "";
    const together =
      quota.scope === "principal" && sessions.length > 0 ? `, of all in ${sessions.join(", ")} together` : "";
    return {
      ...{ by: { backend: name }, quota, place, key: place, only: "" },
      how: `${kept}${together}`,
      owner: { kind: "backend", name },
    };
  });
}
