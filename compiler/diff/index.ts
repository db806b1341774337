export type { CellChange, CellsAt } from "./cells.ts";
export { type Difference, difference, type Side } from "./diff.ts";
export { type Direction, reversed } from "./direction.ts";
export type { Fact, FactChange, Measure, Owner } from "./facts.ts";
export type { Shown } from "./judge.ts";
export { type Deciding, decidingText } from "./meaning.ts";
export type { Place } from "./places.ts";
export { reasonIn } from "./reason.ts";
export type { Situation } from "./situations.ts";
