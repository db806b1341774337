// States which quotas are refunded if a call did not run, which ones continue after a restart of the machine, and which
// ones the broker cannot count. If the page has a quota that cannot be counted, the broker does not start.

import type { Backend, Quota } from "../../../lib/wire/generated/policy.ts";

/**
 * Returns whether units of this quota are refunded if the call did not run. Prompts are not refunded, because the
 * person was asked.
 */
export function isGivenBack(quota: Quota): boolean {
  return quota.unit !== "prompts";
}

/** Returns whether the count of this quota continues after a restart of the machine. */
export function isLasting({ scope }: Quota): boolean {
  return scope === "principal" || scope === "day";
}

/**
 * Returns why a quota cannot be counted with these backends, or `undefined` if it can. Only a quota of money has a
 * condition. There must be a backend outside the machine, and all such backends must be paid in the quota's currency. A
 * backend in the machine costs nothing.
 */
export function explainUnkept({ unit, name }: Quota, backends: readonly Backend[]): string | undefined {
  if (unit !== "money") return undefined;
  const unpriced = backends.find(({ local, currency }) => !local && currency !== name);
  if (unpriced !== undefined) return `the backend ${unpriced.name} has no price in ${name}`;
  return backends.some(({ currency }) => currency === name) ? undefined : `no backend is paid in ${name}`;
}
