// Which quotas this broker keeps, and which are given back. One that it cannot keep must not look as if it held.

import type { Quota } from "../../wire/generated/policy.ts";

/** A person who was asked has been asked, whatever became of the call. */
export function isGivenBack(quota: Quota): boolean {
  return quota.unit !== "prompts";
}

/** Whether it is counted on after the machine has started again. */
export function outlasts({ scope }: Quota): boolean {
  return scope === "principal" || scope === "day";
}

/** Why a quota cannot be kept; nothing where it can. */
export function unkept({ unit }: Quota): string | undefined {
  return unit === "money" ? "this broker knows no price" : undefined;
}
