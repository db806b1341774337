import { type Narrowings, quotaKey, type Session } from "../../../phases/bind/index.ts";
import { quotasOf, timeoutsOf } from "../../../phases/policy/index.ts";
import type { Wider } from "./wider.ts";

/** Quotas and time limits: what the parent does not limit may be limited, what it limits may not be limited less. */
export function widerLimits(said: Narrowings, base: Session): Wider[] {
  const quotas = quotasOf(base);
  const timeouts = timeoutsOf(base);
  return [
    ...said.quotas.flatMap((quota) => {
      const parent = quotas.get(quotaKey(quota))?.quota;
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
