// Finds decisions whose meaning changed. A cell is the decision about one tool in one session, task, phase or worker.
// Each different meaning gets a number, and cells are compared by these numbers. So half a million cells need only half
// a million comparisons of numbers.

import { FIRST_DECISION, type IndexedTables, type Label, serializeSource } from "../../../engine/lib/policy/index.ts";
import type { Decision, Floor, Lattice, Source, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { normalizeClause, serializeValue } from "../../phases/policy/index.ts";
import { createNumbering } from "../../phases/prove/index.ts";
import { isStandard } from "../../phases/source/index.ts";
import { compareDecisions, type DecisionComparison } from "./compare-decisions.ts";
import { classifyDirection, type Direction } from "./direction.ts";
import {
  isSameLattice,
  type NormalizedDecision,
  normalizeDecision,
  renderParams,
  translateLabel,
  type WrittenDecision,
  writeDecision,
} from "./normalize.ts";
import { matchRows, type Place, type RowPair } from "./places.ts";
import { extractReason } from "./reason.ts";

/**
 * Cells with the same change: in each of them the same old decision list was replaced by the same new list, and their
 * tools have the same arguments.
 */
export interface CellChange extends DecisionComparison {
  /** Direction of the change; `alike` means that other lines make the same decisions. */
  readonly direction: Direction | "alike";
  /** Decision in the older tables; `undefined` if the tool does not exist there. */
  readonly before: NormalizedDecision | undefined;
  readonly after: NormalizedDecision | undefined;
  /** The old and the new decision as text, with clauses in the order of their page; `undefined` if the tool does not exist on that side. */
  readonly written: { readonly before: WrittenDecision | undefined; readonly after: WrittenDecision | undefined };
  /**
   * Indexes into the rules of the new tables: the new lines that decide, or all lines that decide if none of them is
   * new.
   */
  readonly rules: readonly number[];
  /**
   * Whether no line can give the reason of the change. This is so in two cases. Either each line in `rules` existed
   * before with the same text, so a removed line caused the change. Or a floor (a minimum mode that `when` sets) was
   * loosened.
   */
  readonly isSaidAgain: boolean;
  /** Sources that some condition of the new decision names, but no condition of the old decision. */
  readonly newSources: readonly Source[];
  /**
   * Reasons of the lines in `rules`, without duplicates. The list is empty if one of these lines gives no reason, or
   * gives a reason that existed before the change, because an older reason does not explain a later change.
   */
  readonly because: readonly string[];
  readonly at: readonly CellsAt[];
}

/** Changed tools of one session, task, phase or worker, in code-unit order. */
interface CellsAt {
  readonly place: Place;
  readonly tools: readonly string[];
}

const HIDDEN = -1;

/** Returns the changed decisions in the order of places (sessions, tasks, phases and workers), and then of tools. */
export function diffCells(before: IndexedTables, after: IndexedTables): readonly CellChange[] {
  const names = [...new Set([...before.tools, ...after.tools].map(({ name }) => name))].sort(compareCodeUnits);
  const numbered = createNumbering<string>();
  const old = numberMeanings(before, names, numbered);
  const now = numberMeanings(after, names, numbered);
  const groups = new Map<string, CellGroup>();
  const forms = createNumbering<string>();
  for (const pair of matchRows(before, after)) {
    const starts = computeStartLabel(before, after, pair);
    const begun = serializeValue(starts);
    for (const [index, name] of names.entries()) {
      const [was, is] = [old.cell(pair.before, index), now.cell(pair.after, index)];
      if (old.meaning(was) === now.meaning(is)) continue;
      const tool = after.tools[now.tool(index)] ?? before.tools[old.tool(index)];
      if (tool === undefined) continue;
      // There are many decisions, and parameters are long. So the key of a decision must not contain the text of
      // parameters.
      const key = `${was} ${is} ${forms(renderParams(tool.params))} ${begun}`;
      join(groups, key, { was, is, tool, name, starts, pair });
    }
  }
  return [...groups.values()].map((group) => changeOf(before, after, group));
}

interface CellPair {
  /** Index into the decisions of the older tables; HIDDEN if the tool has no decision list there. */
  readonly was: number;
  readonly is: number;
  readonly tool: Tool;
  readonly name: string;
  readonly starts: Label;
  readonly pair: RowPair;
}

interface CellGroup extends Omit<CellPair, "name" | "pair"> {
  readonly at: { readonly place: Place; readonly tools: string[] }[];
}

function join(groups: Map<string, CellGroup>, key: string, { name, pair, ...found }: CellPair): void {
  const group = groups.get(key) ?? { ...found, at: [] };
  groups.set(key, group);
  const last = group.at[group.at.length - 1];
  if (last?.place === pair.place) last.tools.push(name);
  else group.at.push({ place: pair.place, tools: [name] });
}

interface Meanings {
  /**
   * Returns the index of the tool that has the same name as tool `index` of the other tables; HIDDEN if there is none.
   */
  readonly tool: (index: number) => number;
  /**
   * Returns the index of the decision list for this tool in a session, task, phase or worker; HIDDEN if the tool has no
   * decision list there.
   */
  readonly cell: (row: RowPair["before"], index: number) => number;
  /** Returns a number for a decision list. Lists with the same meaning have the same number, in both tables. */
  readonly meaning: (decision: number) => number;
}

function numberMeanings(tables: IndexedTables, names: readonly string[], numbered: (text: string) => number): Meanings {
  const tools = Int32Array.from(names, (name) => tables.toolIndex.get(name) ?? HIDDEN);
  const meanings = tables.decisions.map((list) => numbered(serializeValue(normalizeDecision(list, tables.lattice))));
  const tool = (index: number) => tools[index] ?? HIDDEN;
  return {
    tool,
    cell: (row, index) => Math.max(HIDDEN, (row?.cells[tool(index)] ?? 0) - FIRST_DECISION),
    meaning: (decision) => meanings[decision] ?? HIDDEN,
  };
}

/**
 * Returns a lower bound of the labels of all conversations in the session or task, both before and after the change.
 * This label is the greatest lower bound of the two start labels.
 */
function computeStartLabel(before: IndexedTables, after: IndexedTables, pair: RowPair): Label {
  const now = pair.after?.starts;
  const old = pair.before && translateLabel(pair.before.starts, before.lattice, after.lattice);
  const [one, other] = [now ?? old ?? PLAIN, old ?? now ?? PLAIN];
  return {
    confidentiality: Math.min(one.confidentiality, other.confidentiality),
    integrity: Math.max(one.integrity, other.integrity),
    compartments: one.compartments & other.compartments,
  };
}

const PLAIN: Label = { confidentiality: 0, integrity: 0, compartments: 0n };

function changeOf(before: IndexedTables, after: IndexedTables, { was, is, tool, starts, at }: CellGroup): CellChange {
  const old = before.decisions[was];
  const now = after.decisions[is];
  const same = old === undefined ? { list: undefined } : translateDecision(old, before.lattice, after.lattice);
  const judgement = same === undefined ? INCOMPARABLE : compareDecisions(tool.params, same.list, now, starts);
  const { widens, narrows } = judgement;
  const unmoved = widens.length + narrows.length === 0 && old !== undefined && now !== undefined;
  const rules = findNewRules(old, before, now, after);
  // A reason in the standard library is for all pages, not for this change. If lines of the page also decide, only
  // their reasons count.
  const own = rules.filter((rule) => !isStandard(after.rules[rule]?.place ?? ""));
  const asked = own.length > 0 ? own : rules;
  // No rule states a reason for a floor, so reasons of rules never explain a floor that was loosened.
  const isSaidAgain =
    hasOnlyKnownRules(old, before, asked, after) ||
    (widens.length > 0 && (same === undefined || loosensFloors(tool, same.list, now, starts)));
  const reasons = asked.map((rule) => extractReason(after.rules[rule]?.words ?? ""));
  const older = new Set(old?.clauses.map(({ rule }) => extractReason(before.rules[rule]?.words ?? "")));
  const given = reasons.filter((reason): reason is string => reason !== undefined && !older.has(reason));
  return {
    ...judgement,
    direction: unmoved ? "alike" : classifyDirection({ widens: widens.length > 0, narrows: narrows.length > 0 }),
    before: old && normalizeDecision(old, before.lattice),
    after: now && normalizeDecision(now, after.lattice),
    written: { before: old && writeDecision(old, before.lattice), after: now && writeDecision(now, after.lattice) },
    rules,
    isSaidAgain,
    newSources: listNewSources(old, now),
    because: given.length === reasons.length && !isSaidAgain ? [...new Set(given)] : [],
    at,
  };
}

function listNewSources(old: Decision | undefined, now: Decision | undefined): readonly Source[] {
  const known = new Set(listSources(old).map(serializeSource));
  return [...new Map(listSources(now).map((source) => [serializeSource(source), source]))].flatMap(([key, source]) =>
    known.has(key) ? [] : [source],
  );
}

function listSources(list: Decision | undefined): readonly Source[] {
  return [...(list?.clauses ?? []), ...(list?.floors ?? [])].flatMap(({ conditions }) =>
    conditions.flatMap(({ sources }) => sources),
  );
}

/** Returns whether the new rules with the new floors allow more than the new rules with the old floors. */
function loosensFloors(tool: Tool, old: Decision | undefined, now: Decision | undefined, starts: Label): boolean {
  if (old === undefined || now === undefined) return false;
  return compareDecisions(tool.params, { ...now, floors: old.floors }, now, starts).widens.length > 0;
}

/**
 * Result if a floor (a minimum mode that `when` sets) names a level that only one of the tables has. Conversations of
 * the two tables then cannot be compared.
 */
const INCOMPARABLE: DecisionComparison = {
  widens: [{ before: "forbidden", after: "auto" }],
  narrows: [{ before: "auto", after: "forbidden" }],
  onlyUnknownWidens: false,
};

/**
 * Returns the decision list with its labels translated to the lattice `to`. Returns `undefined` if this lattice lacks a
 * level or compartment of the list.
 */
function translateDecision(list: Decision, from: Lattice, to: Lattice): { readonly list: Decision } | undefined {
  if (isSameLattice(from, to)) return { list };
  const floors = list.floors.map((floor) => translateFloor(floor, from, to));
  const known = floors.filter((floor) => floor !== undefined);
  return known.length < floors.length ? undefined : { list: { ...list, floors: known } };
}

function translateFloor(floor: Floor, from: Lattice, to: Lattice): Floor | undefined {
  const { confidentialityAtLeast, integrityAtMost, compartments } = floor;
  const asksTrust = integrityAtMost < from.integrity.length;
  const label = { confidentiality: confidentialityAtLeast, integrity: asksTrust ? integrityAtMost : 0, compartments };
  const moved = translateLabel(label, from, to);
  if (moved === undefined) return undefined;
  // A floor that begins at the lowest level applies to all conversations. So it is translated to the lowest level of
  // the other lattice, whatever the name of this level is.
  const level = confidentialityAtLeast === 0 ? 0 : moved.confidentiality;
  return {
    ...floor,
    confidentialityAtLeast: level,
    integrityAtMost: asksTrust ? moved.integrity : integrityAtMost,
    compartments: moved.compartments,
  };
}

function hasOnlyKnownRules(
  old: Decision | undefined,
  before: IndexedTables,
  rules: readonly number[],
  after: IndexedTables,
): boolean {
  // If a line is older than a new tool, its reason was given for other tools. So for a new tool, the reason of a line
  // that is already on the older page does not count.
  const lines = old === undefined ? before.rules : old.clauses.map(({ rule }) => before.rules[rule]);
  const said = new Set(lines.map((line) => line?.words));
  return rules.length > 0 && rules.every((rule) => said.has(after.rules[rule]?.words));
}

/**
 * Returns the new lines that change the meaning. If no new line changes the meaning, returns all lines with new text.
 * If no line has new text, returns all lines of the new list.
 */
function findNewRules(
  old: Decision | undefined,
  before: IndexedTables,
  now: Decision | undefined,
  after: IndexedTables,
): readonly number[] {
  if (now === undefined) return [];
  const known = new Set(old?.clauses.map((clause) => serializeValue(normalizeClause(clause))));
  const fresh = now.clauses.filter((clause) => !known.has(serializeValue(normalizeClause(clause))));
  const said = new Set(old?.clauses.map(({ rule }) => before.rules[rule]?.words));
  const reworded = now.clauses.filter(({ rule }) => !said.has(after.rules[rule]?.words));
  const [clauses = now.clauses] = [fresh, reworded].filter(({ length }) => length > 0);
  return [...new Set(clauses.map(({ rule }) => rule))].sort((one, other) => one - other);
}
