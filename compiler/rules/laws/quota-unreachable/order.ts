import { type BoundQuota, type Category, formatQuotaKey, listLineage } from "../../../phases/bind/index.ts";

type Scope = BoundQuota["scope"];

/**
 * For each scope, the wider scopes that always contain it, such as `day` for `hour`. A quota with the wider scope
 * counts everything that a quota with the inner scope counts. A turn is not always inside one hour.
 */
const ENCLOSING: Readonly<Record<Scope, readonly Scope[]>> = {
  call: ["turn", "conversation", "task", "login", "principal", "hour", "day"],
  turn: ["conversation", "task"],
  conversation: [],
  task: [],
  login: [],
  principal: [],
  hour: ["day"],
  day: [],
};

/** Returns the smallest quota for each pair of unit and scope, such as `calls per hour`. */
export function combineQuotas(quotas: readonly BoundQuota[]): ReadonlyMap<string, BoundQuota> {
  const held = new Map<string, BoundQuota>();
  for (const quota of quotas) {
    const before = held.get(formatQuotaKey(quota));
    if (before === undefined || quota.amount < before.amount) held.set(formatQuotaKey(quota), quota);
  }
  return held;
}

/**
 * Returns a quota that is always used up before this quota or at the same time; `undefined` if there is none. The
 * function uses lookups instead of a search, because a page may have thousands of quotas.
 */
export function findUsedUpBefore(
  quota: BoundQuota,
  held: ReadonlyMap<string, BoundQuota>,
  categories: ReadonlyMap<string, Category>,
): BoundQuota | undefined {
  const counts = listCountingAll(quota, categories);
  const keys = [quota.scope, ...ENCLOSING[quota.scope]].flatMap((scope) =>
    counts.map((count) => formatQuotaKey({ ...count, scope })),
  );
  const others = keys.filter((key) => key !== formatQuotaKey(quota)).flatMap((key) => held.get(key) ?? []);
  return others.find((other) => other.amount <= quota.amount);
}

type Count = Pick<BoundQuota, "unit" | "name">;

/** Returns the units that count everything that the quota counts: the unit of the quota, wider categories, and all calls. */
function listCountingAll({ unit, name }: BoundQuota, categories: ReadonlyMap<string, Category>): Count[] {
  if (unit !== "category") return [{ unit, name }];
  const category = categories.get(name);
  const wider = category === undefined ? [] : listLineage(category).map((at): Count => ({ unit, name: at.name }));
  return [...wider, { unit: "calls", name: "" }];
}
