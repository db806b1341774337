// Which quotas this broker keeps, and which are given back. One that it cannot keep must not look as if it held.

import type { Backend, Quota } from "../../../lib/wire/generated/policy.ts";

/** A person who was asked has been asked, whatever became of the call. */
export function isGivenBack(quota: Quota): boolean {
  return quota.unit !== "prompts";
}

/** Whether it is counted on after the machine has started again. */
export function isLasting({ scope }: Quota): boolean {
  return scope === "principal" || scope === "day";
}

/** Returns why a quota cannot be counted with these backends, or `undefined` if it can. A backend in the machine costs nothing. */
export function explainUnkept({ unit, name }: Quota, backends: readonly Backend[]): string | undefined {
  if (unit !== "money") return undefined;
  const unpriced = backends.find(({ local, currency }) => !local && currency !== name);
  if (unpriced !== undefined) return `the backend ${unpriced.name} has no price in ${name}`;
  return backends.some(({ currency }) => currency === name) ? undefined : `no backend is paid in ${name}`;
}
