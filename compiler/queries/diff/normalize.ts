// Converts decision lists and labels of tables to a normal form, with names in place of numbers, and without the lines
// that caused the decisions. Two equal decisions have equal normal forms, even if their tables use different numbers.

import { findLabel, listCompartments, renderCondition } from "../../../engine/lib/policy/index.ts";
import type { Condition, Decision, Floor, Label, Lattice, Param } from "../../../engine/lib/wire/generated/policy.ts";
import { type NormalizedClause, normalizeClauses, serializeValue, sortUnique } from "../../phases/policy/index.ts";
import { ANY_INTEGRITY } from "../../phases/prove/index.ts";

/**
 * A decision list that has names in place of indexes into its tables. Clauses (rules with their conditions) and floors
 * (minimum modes) are sorted and have no duplicates.
 */
export interface NormalizedDecision {
  readonly clauses: readonly NormalizedClause[];
  readonly floors: readonly NormalizedFloor[];
}

/** A floor with the names of its levels; a level is null if the floor does not depend on it. */
interface NormalizedFloor {
  readonly confidentiality: string | null;
  readonly integrity: string | null;
  readonly compartments: readonly string[];
  readonly unattended: boolean;
  /** Conditions on the arguments. */
  readonly conditions: readonly Condition[];
  readonly mode: Floor["mode"];
}

export function normalizeDecision({ clauses, floors }: Decision, lattice: Lattice): NormalizedDecision {
  return {
    clauses: normalizeClauses(clauses),
    floors: sortUnique(floors.map((one) => normalizeFloor(one, lattice))),
  };
}

function normalizeFloor(floor: Floor, lattice: Lattice): NormalizedFloor {
  const { confidentialityAtLeast: level, integrityAtMost: trust, compartments, unattended, conditions, mode } = floor;
  return {
    confidentiality: level === 0 ? null : (lattice.confidentiality[level] ?? `level ${level}`),
    integrity: trust === ANY_INTEGRITY ? null : (lattice.integrity[trust] ?? `level ${trust}`),
    compartments: listCompartments(lattice, compartments),
    unattended,
    conditions: sortUnique(conditions),
    mode,
  };
}

/**
 * Returns a decision as text for a person: `auto where path under "/x" else consent; at least stepUp when unattended`.
 */
export function renderDecision({ clauses, floors }: NormalizedDecision): string {
  const groups = [...Map.groupBy(clauses, (clause) => clause.group ?? clause).values()];
  return [...groups.map(renderGroup), ...floors.map(renderFloor)].join("; ");
}

/** A decision as text, with its clauses and conditions in the order of the page. */
export interface WrittenDecision {
  readonly text: string;
  /**
   * One line for each clause and floor. The line `the most specific of:` precedes clauses of which only the most
   * specific one decides.
   */
  readonly lines: readonly string[];
}

export function writeDecision({ clauses, floors }: Decision, lattice: Lattice): WrittenDecision {
  const groups = [...Map.groupBy(clauses, (clause) => clause.group || clause).values()].map((group) => [
    ...new Set(group.map(renderClause)),
  ]);
  const raised = [...new Set(floors.map((floor) => renderFloor(normalizeFloor(floor, lattice))))];
  return {
    text: [...groups.map(joinGroup), ...raised].join("; "),
    lines: [
      ...groups.flatMap((texts) => (texts.length === 1 ? texts : [TOGETHER, ...texts.map((text) => `  ${text}`)])),
      ...raised,
    ],
  };
}

const TOGETHER = "the most specific of:";

function joinGroup(texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? "") : `the most specific of (${texts.join("; ")})`;
}

function renderGroup(clauses: readonly NormalizedClause[]): string {
  return joinGroup(clauses.map(renderClause));
}

function renderClause({
  conditions,
  met,
  otherwise,
}: Pick<NormalizedClause, "conditions" | "met" | "otherwise">): string {
  if (conditions.length === 0) return met;
  return `${met} where ${conditions.map(renderCondition).join(" and ")} else ${otherwise}`;
}

function renderFloor(floor: NormalizedFloor): string {
  const { confidentiality, integrity, compartments, unattended, conditions, mode } = floor;
  const when = [
    ...(confidentiality === null ? [] : [`confidentiality >= ${confidentiality}`]),
    ...(integrity === null ? [] : [`integrity <= ${integrity}`]),
    ...compartments.map((name) => `compartment ${name}`),
    ...(unattended ? ["unattended"] : []),
  ];
  const where = conditions.length === 0 ? "" : ` where ${conditions.map(renderCondition).join(" and ")}`;
  return `at least ${mode}${when.length === 0 ? "" : ` when ${when.join(" and ")}`}${where}`;
}

const paramsTexts = new WeakMap<readonly Param[], string>();

/**
 * Returns a text that is equal for equal arguments. Tools of one interface share their arguments, so the text is
 * computed once for all of them.
 */
export function renderParams(params: readonly Param[]): string {
  const known = paramsTexts.get(params) ?? serializeValue(params);
  paramsTexts.set(params, known);
  return known;
}

/**
 * Returns whether two tables have equal names for levels and compartments, so that their labels can be compared
 * directly.
 */
export function isSameLattice(one: Lattice, other: Lattice): boolean {
  return serializeValue(one) === serializeValue(other);
}

/** Translates a label to another lattice by names. Returns `undefined` if the other lattice lacks a name. */
export function translateLabel(label: Label, from: Lattice, to: Lattice): Label | undefined {
  return findLabel(to, {
    confidentiality: from.confidentiality[label.confidentiality] ?? "",
    integrity: from.integrity[label.integrity] ?? "",
    compartments: listCompartments(from, label.compartments),
  });
}
