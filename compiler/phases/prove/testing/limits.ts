// `assert limit`: checks the quotas on the page and not their usage; counters are not part of a state.
import type { Quota, Row } from "../../../../engine/lib/wire/generated/policy.ts";
import type { BoundQuota } from "../../bind/index.ts";
import { runsOf } from "./calls.ts";
import type { Reached } from "./reach.ts";
import type { System } from "./system.ts";

type Limit = Pick<BoundQuota, "amount" | "unit" | "name" | "scope">;

/**
 * Returns whether, in each row that can spend the limited unit, a quota limits it. Each quota line has its own counter.
 * So if the scope of the limit spans several rows of a conversation, all these rows must have the same line. If the
 * scope spans several conversations, all rows of the session must have the same line.
 */
export function limitHolds(system: System, reached: Reached, rows: readonly Row[], limit: Limit): boolean {
  const spending = rows.filter((row) => canSpend(system, reached, row, limit));
  if (limit.scope === "call" || limit.scope === "turn") {
    return spending.every((row) => row.quotas.some((quota) => bounds(spending, row, quota, limit)));
  }
  const isWide = limit.scope !== "conversation" && limit.scope !== "task";
  return spending.every((row) => {
    const beside = spending.filter(({ session, task }) => session === row.session && (isWide || task === row.task));
    return row.quotas.some(({ rule }) =>
      beside.every((other) =>
        other.quotas.some((quota) => quota.rule === rule && bounds(spending, other, quota, limit)),
      ),
    );
  });
}

function bounds(spending: readonly Row[], row: Row, quota: Quota, limit: Limit): boolean {
  if (quota.amount > limit.amount || !lastsAsLong(quota.scope, limit.scope, row)) return false;
  if (quota.unit === limit.unit) return quota.name === limit.name;
  if (quota.unit !== "calls") return false;
  if (limit.unit === "category") return true;
  // The gate before a phase is a prompt but not a call.
  return limit.unit === "prompts" && !spending.some((other) => other.entry !== "auto" && isOneTask(other, row));
}

function isOneTask(a: Row, b: Row): boolean {
  return a.session === b.session && a.task === b.task;
}

function lastsAsLong(counted: Quota["scope"], asked: Limit["scope"], row: Row): boolean {
  if (asked === "hour") return counted === "hour" || counted === "day";
  if (asked === "day") return counted === "day";
  const order = ["call", "turn", "conversation", "login", "principal"];
  const at = (scope: Quota["scope"]): number => order.indexOf(scope === "task" ? "conversation" : scope);
  if (counted === "task" && row.task === "") return false;
  return at(counted) !== -1 && at(counted) >= at(asked);
}

function canSpend(system: System, reached: Reached, row: Row, { unit, name }: Limit): boolean {
  const at = system.tables.rows.indexOf(row);
  const states = [...reached.states.values()].filter((state) => state.row === at);
  if (states.length === 0) return false;
  const calls = states.flatMap(({ label }) =>
    [...system.tables.tools.entries()].flatMap(([index, tool]) =>
      runsOf(system, at, index, label).map(({ gate }) => ({ gate, tool })),
    ),
  );
  switch (unit) {
    case "calls":
      return calls.length > 0;
    case "prompts":
      return row.entry !== "auto" || calls.some(({ gate }) => gate !== "auto");
    case "category":
      return calls.some(({ tool }) => isWithin(system, tool.category, name));
    case "tokens":
    case "bytes":
    case "money":
      return true;
  }
}

function isWithin(system: System, category: number, name: string): boolean {
  const found = system.tables.categories[category];
  return found !== undefined && (found.name === name || isWithin(system, found.parent, name));
}
