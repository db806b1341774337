export type { CellChange } from "./cells.ts";
export type { DecisionChange } from "./compare-decisions.ts";
export { computeDifference, type Difference, hasBothMachines, type Side } from "./diff.ts";
export type { Direction } from "./direction.ts";
export type { Fact, FactChange, Owner } from "./facts.ts";
export { diffFlows, type FlowChange, type WitnessedFlow } from "./flows.ts";
export { collectGraphFacts, type ImageGraph, renameInGraph } from "./graph-facts.ts";
export type { LabelEdit, LabelEffect } from "./label-edits.ts";
export { collectMachineFacts } from "./machine.ts";
export { type NormalizedDecision, renderDecision, type WrittenDecision } from "./normalize.ts";
export { type Place, placeKey } from "./places.ts";
export { extractReason, normalizeReason, UNSAID } from "./reason.ts";
export type { Rename } from "./rename.ts";
export { renameToolsInModel } from "./rename-model.ts";
export { renameInTables } from "./rename-tables.ts";
export {
  type ChangeKind,
  describeRenames,
  findRenames,
  hasOtherChanges,
  isLikely,
  isRename,
  kindOf,
} from "./renames.ts";
export { findSimilar } from "./similar.ts";
