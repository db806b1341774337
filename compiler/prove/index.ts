export { type Pair, type Pairs, pairsOf } from "./arguments/pairs.ts";
export { strictest } from "./arguments/ways.ts";
export type * from "./findings.ts";
export { type Flows, flowsOf, type Inflow, type Sink } from "./flows.ts";
export { ANY_INTEGRITY } from "./matcher.ts";
export type * from "./proof.ts";
export { prove } from "./prove.ts";
export type { Source, Told } from "./sources.ts";
export { PREMISES, releasesUsed } from "./words.ts";
