export { type OfPage, selectAgreedFixes } from "./agreed.ts";
export { type CertainFixes, findCertainFixes } from "./certain.ts";
