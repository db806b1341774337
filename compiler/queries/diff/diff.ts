import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Flows } from "../../phases/prove/index.ts";
import type { Loosening } from "../../rules/index.ts";
import { type CellChange, diffCells } from "./cells.ts";
import { createHeldCheck } from "./counters.ts";
import { diffFacts, type Fact, type FactChange } from "./facts.ts";
import { diffFlows, type FlowChange } from "./flows.ts";
import { adoptLabels, findLabelEdits, type LabelEdit } from "./label-edits.ts";
import { collectStatedFacts, detectVersionRollback } from "./page-facts.ts";
import { placeKey } from "./places.ts";
import { collectQuotaFacts } from "./quota-facts.ts";
import { collectRowFacts } from "./row-facts.ts";
import { collectTableFacts } from "./table-facts.ts";
import { describeRenamedTests } from "./test-facts.ts";
import { collectToolFacts } from "./tool-facts.ts";

/** One of the two states of a system that are compared: its tables and, if known, its page and machine. */
export interface Side {
  readonly tables: IndexedTables;
  /**
   * Facts of the machine, which the tables do not contain; `undefined` if only tables are known. Machines are compared
   * only if both sides have these facts.
   */
  readonly machine: readonly Fact[] | undefined;
  /**
   * Page whose assertions, tests and reasons are compared; absent if only tables are known, because tables do not
   * contain these.
   */
  readonly model?: Model;
  /**
   * Returns the lines, such as `forbidden` lines, over which looser lines of the page take precedence for some tools.
   * The function is called only if both sides are pages.
   */
  readonly loosened?: () => readonly Loosening[];
  /**
   * Returns the flows that are possible in conversations. By default they follow from the tables of this side; the
   * argument replaces these by tables that have other labels. `undefined` if only tables are known. The function is
   * called only if cells or facts differ.
   */
  readonly flows: ((tables?: IndexedTables) => Flows) | undefined;
}

/** All differences in meaning. */
export interface Difference {
  readonly cells: readonly CellChange[];
  readonly facts: readonly FactChange[];
  /**
   * Changes of the version, and of what pages state about themselves. A weaker statement, such as a removed assertion,
   * allows later changes that the earlier statement would have refused.
   */
  readonly stated: readonly FactChange[];
  /**
   * Flows that became possible or impossible. Data whose label changed is compared under its new label; `labels` reports
   * the calls that the new label allows.
   */
  readonly flows: readonly FlowChange[];
  /** Edits of the labels of services, with their effects. `facts` also contains each changed label of an edit. */
  readonly labels: readonly LabelEdit[];
  /** Reason why flows were not compared; `undefined` if flows were compared. */
  readonly flowsSkipped: string | undefined;
}

/** Returns whether both sides describe the machine. */
export function hasBothMachines(before: Side, after: Side): boolean {
  return before.machine !== undefined && after.machine !== undefined;
}

/**
 * Returns the differences in meaning between `before` and `after`, in both directions. The wording of lines and a higher version have no
 * meaning.
 */
export function computeDifference(before: Side, after: Side): Difference {
  const cells = diffCells(before.tables, after.tables);
  const facts = diffFacts(collectFacts(before, after), collectFacts(after, before));
  return {
    cells,
    facts,
    stated: compareStatements(before, after),
    labels: findLabelEdits(before.tables, after.tables),
    ...compareFlows(before, after, cells.length + facts.length > 0 ? "changed" : "unchanged"),
  };
}

/** Compares the versions, and what pages state about themselves, such as assertions. Flows do not depend on these. */
function compareStatements(
  { tables: old, model: was, loosened: loose }: Side,
  { tables: now, model: is, loosened }: Side,
): readonly FactChange[] {
  const stated =
    was && is
      ? [
          ...describeRenamedTests(was, is),
          ...diffFacts(
            collectStatedFacts(was, is, { at: "before", tables: old, others: now }, loose?.()),
            collectStatedFacts(is, was, { at: "after", tables: now, others: old }, loosened?.()),
          ),
        ]
      : [];
  return [...detectVersionRollback(old.version, now.version), ...stated];
}

/**
 * Compares flows. `rest` states whether some cell or fact differs. If none differs, flows are not compared: they follow
 * from cells and facts, so they are equal too.
 */
function compareFlows(
  before: Side,
  after: Side,
  rest: "changed" | "unchanged",
): Pick<Difference, "flows" | "flowsSkipped"> {
  const skipFlows = (flowsSkipped: string | undefined) => ({ flows: [], flowsSkipped });
  if (before.flows === undefined || after.flows === undefined)
    return skipFlows("tables alone do not say what services keep and share");
  if (rest === "unchanged") return skipFlows(undefined);
  const [old, now] = [before.flows(adoptLabels(before.tables, after.tables)), after.flows()];
  const why = old.incompleteReason ?? now.incompleteReason;
  return why === undefined ? { flows: diffFlows(old, now), flowsSkipped: undefined } : skipFlows(why);
}

function collectFacts(side: Side, otherSide: Side): readonly Fact[] {
  const [{ tables, machine = [] }, { tables: other }] = [side, otherSide];
  const there = new Set(other.rows.map(placeKey));
  const known = hasBothMachines(side, otherSide) ? machine : [];
  return [
    ...collectRowFacts(tables, there),
    ...collectQuotaFacts(tables, there, createHeldCheck(tables, other)),
    ...collectToolFacts(tables, other),
    ...collectTableFacts(tables),
    ...known,
  ];
}
