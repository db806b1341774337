import type { QuotaEntry } from "../../../lang/tree/index.ts";

export type QuotaUnit = "calls" | "tokens" | "prompts" | "bytes" | "category" | "money";

export const SCOPES = ["call", "turn", "conversation", "task", "login", "principal", "hour", "day"] as const;
type QuotaScope = (typeof SCOPES)[number];

export interface BoundQuota {
  readonly amount: bigint;
  readonly unit: QuotaUnit;
  /** Name of the category or currency that the quota counts; empty for other units. */
  readonly name: string;
  readonly scope: QuotaScope;
  readonly words: string;
  readonly node: QuotaEntry;
}

/** Returns a key that quotas share if they count the same unit over the same scope. */
export function formatQuotaKey(quota: Pick<BoundQuota, "unit" | "name" | "scope">): string {
  return `${quota.unit} ${quota.name} per ${quota.scope}`;
}
