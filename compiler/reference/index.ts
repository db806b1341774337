export { standardReference } from "./standard.ts";
export { systemReference } from "./system.ts";
