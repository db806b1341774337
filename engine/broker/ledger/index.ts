export { unkept } from "./charge.ts";
export { type Asked, Ledger, type Reserved, type Standing } from "./ledger.ts";
export { quotaWords } from "./words.ts";
