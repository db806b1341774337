// Which quotas this broker keeps, and which are given back. One that it cannot keep must not look as if it held.

import type { Quota } from "../../wire/generated/policy.ts";

/** A person who was asked has been asked, whatever became of the call. */
export function isGivenBack(quota: Quota): boolean {
  return quota.unit !== "prompts";
}

/** Why a quota cannot be kept; nothing where it can. */
export function unkept({ unit, scope }: Quota): string | undefined {
  switch (unit) {
    case "money":
      return `this broker does not count ${unit}`;
    case "calls":
    case "tokens":
    case "bytes":
    case "prompts":
    case "category":
      break;
  }
  // Both outlast the machine's run, and nothing here is kept on a disk.
  return scope === "principal" || scope === "day" ? `this broker keeps nothing per ${scope}` : undefined;
}
