import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Flows } from "../../phases/prove/index.ts";
import type { Loosening } from "../../rules/index.ts";
import { type CellChange, diffCells } from "./cells.ts";
import { createHeldCheck } from "./counters.ts";
import { diffFacts, type Fact, type FactChange } from "./facts.ts";
import { diffFlows, type FlowChange } from "./flows.ts";
import { collectStatedFacts, detectVersionRollback } from "./page-facts.ts";
import { placeKey } from "./places.ts";
import { collectQuotaFacts } from "./quota-facts.ts";
import { collectRowFacts } from "./row-facts.ts";
import { collectTableFacts } from "./table-facts.ts";
import { collectToolFacts } from "./tool-facts.ts";

/** One of two states of a system. */
export interface Side {
  readonly tables: IndexedTables;
  /** What is known beside the tables; nothing where only they are there, and then it is compared with nothing. */
  readonly machine: readonly Fact[] | undefined;
  /** The page itself, of which what it states is compared; nothing where only tables are there, which hold none of it. */
  readonly model?: Model;
  /** Its lines that looser ones go before; asked for where both sides are pages. */
  readonly loosened?: () => readonly Loosening[];
  /** What conversations tell whom; nothing where only tables are there. Asked for where anything is different. */
  readonly flows: (() => Flows) | undefined;
}

/** All that means something else. */
export interface Difference {
  readonly cells: readonly CellChange[];
  readonly facts: readonly FactChange[];
  /** Of what pages state of themselves, and the version: who weakens it lets later changes pass that would not. */
  readonly stated: readonly FactChange[];
  readonly flows: readonly FlowChange[];
  /** Why flows were not compared; nothing where they were. */
  readonly flowsSkipped: string | undefined;
}

/** Whether both sides say what the machine is. */
export function hasBothMachines(before: Side, after: Side): boolean {
  return before.machine !== undefined && after.machine !== undefined;
}

/** What `after` means and `before` does not, and the other way round. A higher version and words of lines mean nothing. */
export function computeDifference(before: Side, after: Side): Difference {
  const cells = diffCells(before.tables, after.tables);
  const facts = diffFacts(collectFacts(before, after), collectFacts(after, before));
  return {
    cells,
    facts,
    stated: compareStatements(before, after),
    ...compareFlows(before, after, cells.length + facts.length > 0 ? "changed" : "unchanged"),
  };
}

/** No flow follows of it. */
function compareStatements(
  { tables: old, model: was, loosened: loose }: Side,
  { tables: now, model: is, loosened }: Side,
): readonly FactChange[] {
  const stated =
    was && is ? diffFacts(collectStatedFacts(was, is, loose?.()), collectStatedFacts(is, was, loosened?.())) : [];
  return [...detectVersionRollback(old.version, now.version), ...stated];
}

/** Flows follow from cells and facts: where none of these is different, none of those is. */
function compareFlows(
  before: Side,
  after: Side,
  rest: "changed" | "unchanged",
): Pick<Difference, "flows" | "flowsSkipped"> {
  const skipFlows = (flowsSkipped: string | undefined) => ({ flows: [], flowsSkipped });
  if (before.flows === undefined || after.flows === undefined)
    return skipFlows("tables alone do not say what services keep and share");
  if (rest === "unchanged") return skipFlows(undefined);
  const [old, now] = [before.flows(), after.flows()];
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
