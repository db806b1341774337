export { check } from "./check.ts";
export type { Page } from "./law.ts";
export { checkSize } from "./size.ts";
