// When a call may run, as one expression of Cedar. Cedar knows allow and deny: whoever asks says in `passed` which gate the
// call has passed already (0: none, 1: consent, 2: step-up), and the gate that the page wants is the least that is allowed.

import {
  compartmentsIn,
  type IndexedTables,
  mayFlow,
  type PermissionMode,
  released,
} from "../../../../engine/lib/policy/index.ts";
import type { Clause, Floor, Label, Lattice } from "../../../../engine/lib/wire/generated/policy.ts";
import { type ExportedCell, worstOf } from "../cells.ts";
import { type Spelled, spelled } from "./condition.ts";
import { ALWAYS, all, any, NEVER, quoted } from "./words.ts";

const GATES = { auto: 0, consent: 1, stepUp: 2 } as const;

export interface CedarCell {
  /** What has to hold, all of it; `false` is among them where it never runs. */
  readonly whens: readonly string[];
  /** Rules with conditions that are not spelled as the page means them. */
  readonly unspelled: readonly { readonly rule: number; readonly fit: Spelled["fit"] }[];
}

export function cedarCell(tables: IndexedTables, cell: ExportedCell): CedarCell {
  const { list, row, tool, isNever, isAskingNobody } = cell;
  const passing = (mode: PermissionMode): string => {
    if (mode === "auto") return ALWAYS;
    if (mode === "forbidden" || isAskingNobody) return NEVER;
    // Where nobody is there nothing can be passed; in a task the call waits for somebody.
    return all([`context.passed >= ${GATES[mode]}`, row.task === "" ? "!context.unattended" : ALWAYS]);
  };
  const worst = passing(worstOf(list));
  const clauses = list.clauses.map((clause) => {
    const conditions = clause.conditions.map((condition) => spelled(condition, tool.params));
    return { clause, conditions };
  });
  const parts = [
    ...clauses.map(({ clause, conditions }) => clauseWhen(clause, conditions, passing, worst)),
    ...list.floors.map((floor) => any([...spared(tables.lattice, floor), passing(floor.mode)])),
    flowWhen(tables.lattice, cell, passing),
    isNever ? NEVER : ALWAYS,
  ];
  const whens = [...new Set(parts)].filter((part) => part !== ALWAYS);
  return {
    whens: whens.includes(NEVER) ? [NEVER] : whens,
    unspelled: clauses.flatMap(({ clause, conditions }) => misfits(clause, conditions)),
  };
}

function clauseWhen(
  { met, otherwise }: Clause,
  conditions: readonly Spelled[],
  passing: (mode: PermissionMode) => string,
  worst: string,
): string {
  if (conditions.length === 0) return passing(met);
  const holds = all(conditions.map((one) => one.holds));
  const known = conditions.map((one) => any([one.holds, one.fails]));
  const fails =
    conditions.length === 1
      ? all(conditions.map((one) => one.fails))
      : all([...known, any(conditions.map((one) => one.fails))]);
  return any([all([holds, passing(met)]), all([fails, passing(otherwise)]), worst]);
}

function misfits({ rule }: Clause, conditions: readonly Spelled[]): CedarCell["unspelled"] {
  if (conditions.some(({ fit }) => fit === "none")) return [{ rule, fit: "none" }];
  return conditions.some(({ fit }) => fit === "some") ? [{ rule, fit: "some" }] : [];
}

/** Ways in which a floor is not met. What is no word of the page spares nobody. */
function spared({ confidentiality, integrity, ...lattice }: Lattice, floor: Floor): readonly string[] {
  const sets = compartmentsIn({ confidentiality, integrity, ...lattice }, floor.compartments);
  return [
    oneOf("confidentiality", confidentiality.slice(0, floor.confidentialityAtLeast)),
    oneOf("integrity", integrity.slice(floor.integrityAtMost + 1)),
    sets.length === 0 ? NEVER : `!context.label.compartments.containsAll(${textSet(sets)})`,
    floor.unattended ? "!context.unattended" : NEVER,
  ];
}

function flowWhen(
  lattice: Lattice,
  { sink, releases }: ExportedCell,
  passing: (mode: PermissionMode) => string,
): string {
  if (sink === undefined) return ALWAYS;
  const ways = releases.map((release) => {
    const { act, from, gate } = release;
    // What the arguments count as once released; the rest of the label stays the conversation's.
    const after = released(release, from);
    const fits =
      act === "declassify"
        ? all([
            mayFlow({ ...after, integrity: sink.integrity }, sink) ? ALWAYS : NEVER,
            flowInto(lattice, { ...highest(lattice), integrity: sink.integrity }),
          ])
        : all([after.integrity >= sink.integrity ? ALWAYS : NEVER, flowInto(lattice, { ...sink, integrity: 0 })]);
    return all([flowInto(lattice, from), fits, passing(gate)]);
  });
  return any([flowInto(lattice, sink), ...ways]);
}

/** That the conversation's label may flow into this one. */
function flowInto(lattice: Lattice, to: Label): string {
  const { confidentiality, integrity, compartments } = lattice;
  const sets = compartmentsIn(lattice, to.compartments);
  return all([
    to.confidentiality >= confidentiality.length - 1
      ? ALWAYS
      : oneOf("confidentiality", confidentiality.slice(0, to.confidentiality + 1)),
    to.integrity === 0 ? ALWAYS : oneOf("integrity", integrity.slice(to.integrity)),
    sets.length === compartments.length ? ALWAYS : inside(sets),
  ]);
}

/** What everything may flow to. */
function highest({ confidentiality, compartments }: Lattice): Label {
  return {
    confidentiality: confidentiality.length - 1,
    integrity: 0,
    compartments: (1n << BigInt(compartments.length)) - 1n,
  };
}

function inside(sets: readonly string[]): string {
  return sets.length === 0
    ? "context.label.compartments.isEmpty()"
    : `${textSet(sets)}.containsAll(context.label.compartments)`;
}

function oneOf(part: "confidentiality" | "integrity", levels: readonly string[]): string {
  return levels.length === 0 ? NEVER : `${textSet(levels)}.contains(context.label.${part})`;
}

function textSet(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(", ")}]`;
}
