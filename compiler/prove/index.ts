export { type Pair, type Pairs, pairsOf } from "./arguments/pairs.ts";
export type * from "./findings.ts";
export type * from "./proof.ts";
export { prove } from "./prove.ts";
export { PREMISES, releasesUsed } from "./words.ts";
