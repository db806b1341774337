import { formatQuotaKey, type Narrowings, type Session } from "../../../phases/bind/index.ts";
import { getQuotas, getTimeouts } from "../../../phases/policy/index.ts";
import type { ParentWidening } from "./parent-widenings.ts";

/**
 * Returns quotas and time limits that are wider than those of the parent. A session may have limits that its parent
 * does not have, but must not loosen the parent's limits.
 */
export function findWiderLimits(said: Narrowings, base: Session): ParentWidening[] {
  const quotas = getQuotas(base);
  const timeouts = getTimeouts(base);
  return [
    ...said.quotas.flatMap((quota) => {
      const parent = quotas.get(formatQuotaKey(quota))?.quota;
      if (parent === undefined || quota.amount <= parent.amount) return [];
      return [{ at: quota.node.span, what: "the quota", has: `\`${parent.words}\`` }];
    }),
    ...said.timeouts.flatMap((limit) => {
      const parent = timeouts.get(limit.scope);
      if (parent === undefined || limit.milliseconds <= parent.milliseconds) return [];
      return [{ at: limit.node.span, what: "the time limit", has: `${parent.milliseconds} ms per ${limit.scope}` }];
    }),
  ];
}
