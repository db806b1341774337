// Checks that a change allows nothing beyond its purpose. It may only remove prompts for calls of its tool. It must not
// allow calls that were forbidden, needed a signature or did not exist, and must not change another tool, a quota, a
// clearance or a release.

import { type IndexedTables, indexTables } from "../../../engine/lib/policy/index.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { type CellChange, computeDifference } from "../diff/index.ts";

interface OpenedCells {
  /** Reason not to suggest the change; `undefined` if nothing is against it. */
  readonly harm: string | undefined;
  /** Cells whose decisions change, with example calls. If `harm` is `undefined`, all of them become looser. */
  readonly cells: readonly CellChange[];
}

export function findOpened(before: IndexedTables, after: IndexedTables, tool: string): OpenedCells {
  const { cells, facts } = computeDifference(makeSide(before), makeSide(after));
  const changed = cells.filter(({ direction }) => direction !== "alike");
  return { harm: findHarm(before, after, { tool, changed, facts: facts.length }), cells: changed };
}

/** The tool of a tried line, and the changes that the line makes. */
interface TriedLine {
  readonly tool: string;
  readonly changed: readonly CellChange[];
  readonly facts: number;
}

function findHarm(
  before: IndexedTables,
  after: IndexedTables,
  { tool, changed, facts }: TriedLine,
): string | undefined {
  if (facts > 0) return "it would change more than which calls go";
  if (changed.some(({ direction }) => direction !== "widened"))
    return "it would take back what goes without a question";
  if (changed.some(({ at }) => at.some(({ tools }) => tools.some((one) => one !== tool))))
    return "it would open other tools";
  return isOpeningMore(before, after) ? "it would open what is forbidden or signed for" : undefined;
}

/**
 * Returns whether a change does more than replace `consent` by `auto`. Every decision of both tables is first raised to
 * at least `consent`. If the tables then still differ, the change does more.
 */
function isOpeningMore(before: IndexedTables, after: IndexedTables): boolean {
  const { cells } = computeDifference(makeSide(requireConsent(before)), makeSide(requireConsent(after)));
  return cells.some(({ direction }) => direction !== "alike");
}

function requireConsent(tables: IndexedTables): IndexedTables {
  const floor = {
    conditions: [],
    confidentialityAtLeast: 0,
    integrityAtMost: 255,
    compartments: 0n,
    unattended: false,
    mode: "consent",
    rule: 0,
  } as const;
  const decisions = tables.decisions.map(({ clauses, floors }) => ({ clauses, floors: [...floors, floor] }));
  const indexed = indexTables({ ...tables, decisions });
  return indexed.ok ? indexed.value : bug(indexed.reason);
}

function makeSide(tables: IndexedTables) {
  return { tables, machine: undefined, flows: undefined };
}
