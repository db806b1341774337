export { check } from "./check.ts";
export { defineLaw, type Law, type Page } from "./law.ts";
export { checkSize } from "./size.ts";
