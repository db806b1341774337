import { type BoundQuota, type Category, isWithin, quotaKey } from "../../../bind/index.ts";

type Scope = BoundQuota["scope"];

/** What always lasts longer, so that whatever is counted in the one is counted in the other. A turn may outlast an hour. */
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

/** True where the first is used up, at the latest, by what would use up the second. */
export function goesBefore(first: BoundQuota, second: BoundQuota, categories: ReadonlyMap<string, Category>): boolean {
  if (quotaKey(first) === quotaKey(second) || first.amount > second.amount) return false;
  const lasts = first.scope === second.scope || ENCLOSING[second.scope].includes(first.scope);
  return lasts && countsAll(first, second, categories);
}

/** True where the first counts whatever the second counts. */
function countsAll(first: BoundQuota, second: BoundQuota, categories: ReadonlyMap<string, Category>): boolean {
  if (first.unit === second.unit && first.name === second.name) return true;
  if (second.unit !== "category") return false;
  if (first.unit === "calls") return true;
  const category = categories.get(second.name);
  return first.unit === "category" && category !== undefined && isWithin(category, first.name);
}
