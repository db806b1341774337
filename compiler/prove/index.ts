export type * from "./proof.ts";
