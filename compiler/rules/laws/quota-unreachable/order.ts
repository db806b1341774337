import { type BoundQuota, type Category, formatQuotaKey, listLineage } from "../../../phases/bind/index.ts";

type Scope = BoundQuota["scope"];

/**
 * For each scope, the scopes that always last longer. A quota with a longer scope counts everything that a quota with the shorter scope
 * counts. `turn` is not below `hour`, because a turn may last longer than an hour.
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

/** Combines quotas that apply together, by unit and scope. If two quotas have the same unit and scope, only the smaller one is kept. */
export function combineQuotas(quotas: readonly BoundQuota[]): ReadonlyMap<string, BoundQuota> {
  const held = new Map<string, BoundQuota>();
  for (const quota of quotas) {
    const before = held.get(formatQuotaKey(quota));
    if (before === undefined || quota.amount < before.amount) held.set(formatQuotaKey(quota), quota);
  }
  return held;
}

/**
 * Returns another quota that is always used up before this one or together with it. The function looks quotas up by key, because a page may
 * have thousands.
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

/** Returns all units that count everything that this quota counts, including its own unit. */
function listCountingAll({ unit, name }: BoundQuota, categories: ReadonlyMap<string, Category>): Count[] {
  if (unit !== "category") return [{ unit, name }];
  const category = categories.get(name);
  const wider = category === undefined ? [] : listLineage(category).map((at): Count => ({ unit, name: at.name }));
  return [...wider, { unit: "calls", name: "" }];
}
