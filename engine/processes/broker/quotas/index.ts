export { Answers } from "./answers.ts";
export { explainUnkept } from "./charge.ts";
export { describeQuota, formatAmount } from "./describe-quota.ts";
export type { LastingCountsOptions } from "./lasting.ts";
export type { Price } from "./price.ts";
export { type CountedQuota, QuotaLedger, type QuotaStatus } from "./quota-ledger.ts";
