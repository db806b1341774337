export { Answers } from "./answers.ts";
export { explainUnkept } from "./charge.ts";
export type { Lasting } from "./lasting.ts";
export { type Counted, Ledger, type Standing } from "./ledger.ts";
export type { Price } from "./price.ts";
export { describeQuota, formatAmount } from "./words.ts";
