export type * from "./proof.ts";
export { prove } from "./prove.ts";
