export { Answers } from "./answers.ts";
export { unkept } from "./charge.ts";
export type { Lasting } from "./lasting.ts";
export { type Asked, type Counted, Ledger, type Reserved, type Standing } from "./ledger.ts";
export { FREE, type Price } from "./price.ts";
export { amountWords, quotaWords } from "./words.ts";
