// Renders, as expressions of Cedar, the condition under which a call may run. Cedar has only allow and deny. So the
// caller states in `passed` the gate that the call has passed (0: none, 1: consent, 2: step-up). The call is allowed if
// this gate is at least as strict as the page's gate.

import {
  applyRelease,
  computeTopLabel,
  type IndexedTables,
  listCompartments,
  mayFlow,
  type PermissionMode,
} from "../../../../engine/lib/policy/index.ts";
import type { Clause, Condition, Floor, Label, Lattice } from "../../../../engine/lib/wire/generated/policy.ts";
import { computeWorstMode, type ExportedCell } from "../cells.ts";
import { collectExportedGroups, type ExportedGroup } from "../groups.ts";
import { type CedarCondition, translateCondition } from "./condition.ts";
import { ALWAYS, joinAnd, joinOr, NEVER, quoteText } from "./expressions.ts";

const GATES = { auto: 0, consent: 1, stepUp: 2 } as const;

export interface CedarCell {
  /** Expressions that must all be true for a call to run; they include `false` if the call never runs. */
  readonly whens: readonly string[];
  /** Rules with conditions that Cedar can express only for some values (`some`), or not at all (`none`). */
  readonly unspelled: readonly { readonly rule: number; readonly fit: CedarCondition["fit"] }[];
}

export function convertToCedarCell(tables: IndexedTables, cell: ExportedCell): CedarCell {
  const { list, row, tool, isNever, isAskingNobody } = cell;
  const renderGate = (mode: PermissionMode): string => {
    if (mode === "auto") return ALWAYS;
    if (mode === "forbidden" || isAskingNobody) return NEVER;
    // If no person is present, a call that needs a gate is refused. In a task, such a call waits for a person instead.
    return joinAnd([`context.passed >= ${GATES[mode]}`, row.task === "" ? "!context.unattended" : ALWAYS]);
  };
  const worst = renderGate(computeWorstMode(list));
  const translateLine = <T extends Clause | Floor>(line: T) => {
    return { line, conditions: line.conditions.map((condition) => translateCondition(condition, tool.params)) };
  };
  const [clauses, floors] = [list.clauses.map(translateLine), list.floors.map(translateLine)];
  const parts = [
    ...collectExportedGroups(list.clauses).map((group) =>
      renderGroupCondition(group, (one) => translateCondition(one, tool.params), renderGate, worst),
    ),
    ...floors.map(({ line, conditions: asked }) =>
      joinOr([
        ...renderFloorExemptions(tables.lattice, line),
        asked.length === 0 ? NEVER : renderLineTruths(asked).fails,
        renderGate(line.mode),
      ]),
    ),
    renderFlowCondition(tables.lattice, cell, renderGate),
    isNever ? NEVER : ALWAYS,
  ];
  const whens = [...new Set(parts)].filter((part) => part !== ALWAYS);
  return {
    whens: whens.includes(NEVER) ? [NEVER] : whens,
    unspelled: [...clauses, ...floors].flatMap(({ line, conditions }) => findMisfits(line, conditions)),
  };
}

/**
 * Returns the condition under which the lines of a group let a call run. Every line that matches must let the call run,
 * unless a more specific line matches. If no line matches, the mode of `else` must let the call run.
 */
function renderGroupCondition(
  { lines, unmatched }: ExportedGroup,
  translate: (condition: Condition) => CedarCondition,
  passing: (mode: PermissionMode) => string,
  worst: string,
): string {
  const [first, ...others] = lines.map(({ conditions, met, above }) => {
    return { ...renderLineTruths(conditions.map(translate)), passes: passing(met), above };
  });
  if (first === undefined) return passing(unmatched);
  const { holds, fails, passes } = first;
  if (others.length === 0) return joinOr([joinAnd([holds, passes]), joinAnd([fails, passing(unmatched)]), worst]);
  const all = [first, ...others];
  const matching = all.map((line) => {
    const displacing = line.above.flatMap((at) => all[at]?.holds ?? []);
    return joinOr([line.fails, line.passes, ...displacing]);
  });
  const known = all.map((line) => joinOr([line.holds, line.fails]));
  const unmet = joinOr([...all.map((line) => line.holds), passing(unmatched)]);
  return joinOr([joinAnd([...known, ...matching, unmet]), worst]);
}

/**
 * Returns two expressions: `holds` is true if all conditions of a line hold, and `fails` if all are known and at least
 * one fails.
 */
function renderLineTruths(conditions: readonly CedarCondition[]): Pick<CedarCondition, "holds" | "fails"> {
  const holds = joinAnd(conditions.map((one) => one.holds));
  const known = conditions.map((one) => joinOr([one.holds, one.fails]));
  const fails =
    conditions.length === 1
      ? joinAnd(conditions.map((one) => one.fails))
      : joinAnd([...known, joinOr(conditions.map((one) => one.fails))]);
  return { holds, fails };
}

function findMisfits({ rule }: Pick<Clause, "rule">, conditions: readonly CedarCondition[]): CedarCell["unspelled"] {
  if (conditions.some(({ fit }) => fit === "none")) return [{ rule, fit: "none" }];
  return conditions.some(({ fit }) => fit === "some") ? [{ rule, fit: "some" }] : [];
}

/**
 * Returns expressions; if one of them is true, a floor does not apply. An unknown level never makes one of them true.
 */
function renderFloorExemptions({ confidentiality, integrity, ...lattice }: Lattice, floor: Floor): readonly string[] {
  const sets = listCompartments({ confidentiality, integrity, ...lattice }, floor.compartments);
  return [
    renderMembership("confidentiality", confidentiality.slice(0, floor.confidentialityAtLeast)),
    renderMembership("integrity", integrity.slice(floor.integrityAtMost + 1)),
    sets.length === 0 ? NEVER : `!context.label.compartments.containsAll(${renderSet(sets)})`,
    floor.unattended ? "!context.unattended" : NEVER,
  ];
}

function renderFlowCondition(
  lattice: Lattice,
  { sink, releases }: ExportedCell,
  passing: (mode: PermissionMode) => string,
): string {
  if (sink === undefined) return ALWAYS;
  const ways = releases.map((release) => {
    const { act, from, gate } = release;
    // Label of the arguments after the release. The release changes only a part of the conversation's label.
    const after = applyRelease(release, from);
    const fits =
      act === "declassify"
        ? joinAnd([
            mayFlow({ ...after, integrity: sink.integrity }, sink) ? ALWAYS : NEVER,
            renderFlowInto(lattice, { ...computeTopLabel(lattice), integrity: sink.integrity }),
          ])
        : joinAnd([
            after.integrity >= sink.integrity ? ALWAYS : NEVER,
            renderFlowInto(lattice, { ...sink, integrity: 0 }),
          ]);
    return joinAnd([renderFlowInto(lattice, from), fits, passing(gate)]);
  });
  return joinOr([renderFlowInto(lattice, sink), ...ways]);
}

/** Returns the condition that the conversation's label may flow to the label `to`. */
function renderFlowInto(lattice: Lattice, to: Label): string {
  const { confidentiality, integrity, compartments } = lattice;
  const sets = listCompartments(lattice, to.compartments);
  return joinAnd([
    to.confidentiality >= confidentiality.length - 1
      ? ALWAYS
      : renderMembership("confidentiality", confidentiality.slice(0, to.confidentiality + 1)),
    to.integrity === 0 ? ALWAYS : renderMembership("integrity", integrity.slice(to.integrity)),
    sets.length === compartments.length ? ALWAYS : renderSubset(sets),
  ]);
}

function renderSubset(sets: readonly string[]): string {
  return sets.length === 0
    ? "context.label.compartments.isEmpty()"
    : `${renderSet(sets)}.containsAll(context.label.compartments)`;
}

function renderMembership(part: "confidentiality" | "integrity", levels: readonly string[]): string {
  return levels.length === 0 ? NEVER : `${renderSet(levels)}.contains(context.label.${part})`;
}

function renderSet(texts: readonly string[]): string {
  return `[${texts.map(quoteText).join(", ")}]`;
}
