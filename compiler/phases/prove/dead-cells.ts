import { checkFlow, chooseAdvertisedMode, FIRST_DECISION, mayFlow } from "../../../engine/lib/policy/index.ts";
import type { Decision, Row } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { DeadCell, DeadReason } from "./findings.ts";
import { NO_GATE } from "./modes.ts";
import { createPairNumbering } from "./numbering.ts";
import type { RowReachability } from "./row-reachability.ts";
import type { Location, StateSpace } from "./state-space.ts";

/**
 * Returns the cells whose decision allows a tool although no conversation can call it, in the order of rows and tools.
 * Returns none if the search is incomplete, because a call that the search did not find may be reachable.
 */
export function findDeadAuthority(space: StateSpace, reachability: RowReachability): readonly DeadCell[] {
  if (!reachability.isComplete) return [];
  return space.locations.flatMap((location) => {
    const { row, index } = location;
    // If no conversation can call a tool, the reason is the same for all tools of its kind with the same decision list.
    // So the reason is computed once.
    const number = createPairNumbering();
    const known: (DeadReason | undefined)[] = [];
    const dead: DeadCell[] = [];
    for (let tool = 0; tool < row.cells.length; tool++) {
      const cell = row.cells[tool] ?? 0;
      const list = space.tables.decisions[cell - FIRST_DECISION];
      if (list === undefined || reachability.getPossibleGates(index, tool) !== NO_GATE) continue;
      const key = number(space.kinds.kindOf[tool] ?? bug("a tool without a kind"), cell);
      if (key === known.length) known.push(explainDeadCell(space, reachability, { location, tool, list }));
      const why = known[key];
      if (why !== undefined) dead.push({ row: index, tool, why });
    }
    return dead;
  });
}

/** A cell whose tool no conversation can call in the cell's row. */
interface UnreachedCell {
  readonly location: Location;
  /** The cell's tool, as an index into the tables' tools. */
  readonly tool: number;
  /** The decision list of the cell. */
  readonly list: Decision;
}

/**
 * Returns the reason for which no conversation can call the tool of a cell. Returns `undefined` if the lines of the
 * page forbid the tool anyway, or if no conversation reaches the row.
 */
function explainDeadCell(
  space: StateSpace,
  reachability: RowReachability,
  { location, tool, list }: UnreachedCell,
): DeadReason | undefined {
  const { tables, labels } = space;
  const { row, index } = location;
  const about = tables.tools[tool];
  const reached = [...reachability.getLabels(index)].map((id) => labels.expandLabel(id));
  const [first] = reached;
  if (
    first === undefined ||
    chooseAdvertisedMode({ ...list, floors: [] }, { label: first, unattended: false }) === "forbidden"
  )
    return undefined;
  if (about?.readOnly === false && !mayFlow(about.result.high, row.clearance)) return { kind: "result" };
  if (location.transitions[location.transitionOf[space.kinds.kindOf[tool] ?? -1] ?? -1] === undefined)
    return { kind: "arguments" };
  const flows = reached.some(
    (label) => checkFlow(tables, row, { row: index, label, unattended: false, spent: [] }, tool).ok,
  );
  if (flows) return { kind: "floor" };
  const releases = findReleases(space, row, tool);
  return releases.length === 0 ? { kind: "flow" } : { kind: "release", releases };
}

function findReleases({ tables }: StateSpace, row: Row, tool: number): readonly number[] {
  return row.releases.filter((release) => tables.releases[release]?.tools.includes(tool));
}
