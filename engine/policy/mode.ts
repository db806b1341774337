import type { PermissionMode } from "../wire/generated/capos.ts";
import type { Clause, Decision as DecisionList, Floor, Label } from "../wire/generated/policy.ts";
import { truthOfAll } from "./condition.ts";
import type { JsonRecord } from "./json-reader.ts";

export type { PermissionMode };

const STRICTNESS = { auto: 0, consent: 1, stepUp: 2, forbidden: 3 } as const satisfies Record<PermissionMode, number>;

/** A mode and the rule that asked for it. */
export interface Ruled {
  readonly mode: PermissionMode;
  /** Index into the tables' rules. */
  readonly rule: number;
}

export function isStricter(a: PermissionMode, b: PermissionMode): boolean {
  return STRICTNESS[a] > STRICTNESS[b];
}

/** The strictest of all clauses and of all floors that are met; of equally strict ones the first, so that it is stable. */
export function modeOf(list: DecisionList, args: JsonRecord, label: Label, unattended: boolean): Ruled {
  const worst = strictestOf(list.clauses.flatMap(outcomesOf));
  const clauses = list.clauses.map((clause) => clauseMode(clause, args, worst));
  return strictestOf([...clauses, ...metFloors(list, label, unattended)]);
}

/** The strictest that arguments could bring about. */
export function strictestMode(list: DecisionList, label: Label, unattended: boolean): PermissionMode {
  return strictestOf(possible(list, label, unattended)).mode;
}

/**
 * What a tool is advertised as before there are arguments: the strictest that it can run behind, and forbidden only where
 * it can never run. A model that reads `forbidden` does not try.
 */
export function advertisedMode(list: DecisionList, label: Label, unattended: boolean): PermissionMode {
  const kindest = strictestOf([...list.clauses.map(kindestOf), ...metFloors(list, label, unattended)]).mode;
  if (kindest === "forbidden") return kindest;
  return strictestOf(possible(list, label, unattended).filter(({ mode }) => mode !== "forbidden")).mode;
}

function possible(list: DecisionList, label: Label, unattended: boolean): readonly Ruled[] {
  return [...list.clauses.flatMap(outcomesOf), ...metFloors(list, label, unattended)];
}

function kindestOf(clause: Clause): Ruled {
  return outcomesOf(clause).reduce((kindest, next) => (isStricter(kindest.mode, next.mode) ? next : kindest));
}

function clauseMode(clause: Clause, args: JsonRecord, worst: Ruled): Ruled {
  switch (truthOfAll(clause.conditions, args)) {
    case "holds":
      return { mode: clause.met, rule: clause.rule };
    case "fails":
      return { mode: clause.otherwise, rule: clause.rule };
    case "unknown":
      return worst;
  }
}

function outcomesOf(clause: Clause): readonly Ruled[] {
  const modes = clause.conditions.length === 0 ? [clause.met] : [clause.met, clause.otherwise];
  return modes.map((mode) => ({ mode, rule: clause.rule }));
}

function metFloors(list: DecisionList, label: Label, unattended: boolean): readonly Floor[] {
  return list.floors.filter((floor) => isMet(floor, label, unattended));
}

/** Whether a floor holds for a conversation that has seen this. */
export function isMet(floor: Floor, label: Label, unattended: boolean): boolean {
  return (
    label.confidentiality >= floor.confidentialityAtLeast &&
    label.integrity <= floor.integrityAtMost &&
    (floor.compartments & ~label.compartments) === 0n &&
    (unattended || !floor.unattended)
  );
}

/** Never called with nothing: readTables refuses a decision without clauses. */
function strictestOf(ruled: readonly Ruled[]): Ruled {
  return ruled.reduce((strictest, next) => (isStricter(next.mode, strictest.mode) ? next : strictest));
}
