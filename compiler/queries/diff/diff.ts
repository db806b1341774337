import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Flows } from "../../phases/prove/index.ts";
import type { Loosening } from "../../rules/index.ts";
import { type CellChange, changedCells } from "./cells.ts";
import { heldBy } from "./counters.ts";
import { changedFacts, type Fact, type FactChange } from "./facts.ts";
import { changedFlows, type FlowChange } from "./flows.ts";
import { placeKey } from "./places.ts";
import { quotaFacts } from "./quota-facts.ts";
import { rowFacts } from "./row-facts.ts";
import { loweredVersion, statedFacts } from "./stated.ts";
import { tableFacts } from "./table-facts.ts";
import { toolFacts } from "./tool-facts.ts";

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
  readonly flowsUnseen: string | undefined;
}

/** Whether both sides say what the machine is. */
export function knowsMachines(before: Side, after: Side): boolean {
  return before.machine !== undefined && after.machine !== undefined;
}

/** What `after` means and `before` does not, and the other way round. A higher version and words of lines mean nothing. */
export function difference(before: Side, after: Side): Difference {
  const cells = changedCells(before.tables, after.tables);
  const facts = changedFacts(factsOf(before, after), factsOf(after, before));
  return {
    cells,
    facts,
    stated: statedBetween(before, after),
    ...flowsBetween(before, after, cells.length + facts.length > 0),
  };
}

/** No flow follows of it. */
function statedBetween(
  { tables: old, model: was, loosened: loose }: Side,
  { tables: now, model: is, loosened }: Side,
): readonly FactChange[] {
  const stated = was && is ? changedFacts(statedFacts(was, is, loose?.()), statedFacts(is, was, loosened?.())) : [];
  return [...loweredVersion(old.version, now.version), ...stated];
}

/** Flows follow from cells and facts: where none of these is different, none of those is. */
function flowsBetween(before: Side, after: Side, isChanged: boolean): Pick<Difference, "flows" | "flowsUnseen"> {
  const unseen = (flowsUnseen: string | undefined) => ({ flows: [], flowsUnseen });
  if (before.flows === undefined || after.flows === undefined)
    return unseen("tables alone do not say what services keep and share");
  if (!isChanged) return unseen(undefined);
  const [old, now] = [before.flows(), after.flows()];
  const why = old.unseen ?? now.unseen;
  return why === undefined ? { flows: changedFlows(old, now), flowsUnseen: undefined } : unseen(why);
}

function factsOf(side: Side, otherSide: Side): readonly Fact[] {
  const [{ tables, machine = [] }, { tables: other }] = [side, otherSide];
  const there = new Set(other.rows.map(placeKey));
  const known = knowsMachines(side, otherSide) ? machine : [];
  return [
    ...rowFacts(tables, there),
    ...quotaFacts(tables, there, heldBy(tables, other)),
    ...toolFacts(tables, other),
    ...tableFacts(tables),
    ...known,
  ];
}
