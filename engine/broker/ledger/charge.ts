// What a call costs, by quota; and which quotas this broker keeps. One that it cannot keep must not look as if it held.

import type { IndexedTables } from "../../policy/index.ts";
import type { Quota, Tool } from "../../wire/generated/policy.ts";

export interface Call {
  readonly tool: Tool;
  /** Times that a person is asked. */
  readonly prompts: number;
}

/** Units of a quota that a call uses. */
export function unitsOf(tables: IndexedTables, quota: Quota, { tool, prompts }: Call): bigint {
  switch (quota.unit) {
    case "calls":
      return 1n;
    case "prompts":
      return BigInt(prompts);
    case "category":
      return tables.lineage[tool.category]?.has(quota.name) ? 1n : 0n;
    case "tokens":
    case "bytes":
    case "money":
      return 0n;
  }
}

/** A person who was asked has been asked, whatever became of the call. */
export function isGivenBack(quota: Quota): boolean {
  return quota.unit !== "prompts";
}

/** Why a quota cannot be kept; nothing where it can. */
export function unkept({ unit, scope }: Quota): string | undefined {
  switch (unit) {
    case "tokens":
    case "bytes":
    case "money":
      return `this broker does not count ${unit}`;
    case "calls":
    case "prompts":
    case "category":
      break;
  }
  // Both outlast the machine's run, and nothing here is kept on a disk.
  return scope === "principal" || scope === "day" ? `this broker keeps nothing per ${scope}` : undefined;
}
