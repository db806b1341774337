export { agreed, type OfPage } from "./agreed.ts";
export { type CertainFixes, certainFixes } from "./certain.ts";
