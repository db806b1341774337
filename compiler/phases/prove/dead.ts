import { checkFlow, chooseAdvertisedMode, FIRST_DECISION, mayFlow } from "../../../engine/lib/policy/index.ts";
import type { Decision, Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { DeadCell, DeadReason } from "./findings.ts";
import { NO_GATE } from "./modes.ts";
import type { Running } from "./running.ts";
import type { Ground, Terrain } from "./terrain.ts";

/**
 * Cells that say a tool may run, where no conversation can call it: a promise of the page that nothing keeps. In the order
 * of rows and tools. Nothing is said where the search was given up, for what it did not find may be there.
 */
export function findDeadAuthority(terrain: Terrain, running: Running): readonly DeadCell[] {
  if (!running.isWhole) return [];
  return terrain.grounds.flatMap((ground) => {
    const { row, index } = ground;
    // Tools of one kind that one list decides about are dead for one reason.
    const known = new Map<string, DeadReason | undefined>();
    return row.cells.flatMap((cell, tool): DeadCell[] => {
      const list = terrain.tables.decisions[cell - FIRST_DECISION];
      if (list === undefined || running.getPossibleGates(index, tool) !== NO_GATE) return [];
      const key = `${terrain.kinds.kindOf[tool]} ${cell}`;
      const why = known.has(key) ? known.get(key) : explainDeadCell(terrain, running, ground, tool, list);
      known.set(key, why);
      return why === undefined ? [] : [{ row: index, tool, why }];
    });
  });
}

/** Nothing where the lines themselves let it never run. */
function explainDeadCell(
  terrain: Terrain,
  running: Running,
  ground: Ground,
  tool: number,
  list: Decision,
): DeadReason | undefined {
  const { tables, labels } = terrain;
  const { row, index } = ground;
  const about = tables.tools[tool];
  const reached = [...running.getLabels(index)].map((id) => labels.expandLabel(id));
  const [first] = reached;
  if (
    first === undefined ||
    chooseAdvertisedMode({ ...list, floors: [] }, { label: first, unattended: false }) === "forbidden"
  )
    return undefined;
  if (about?.readOnly === false && !mayFlow(about.result.high, row.clearance)) return { kind: "result" };
  if (ground.doors[ground.doorOf[terrain.kinds.kindOf[tool] ?? -1] ?? -1] === undefined) return { kind: "arguments" };
  const flows = reached.some(
    (label) => checkFlow(tables, row, { row: index, label, unattended: false, spent: [] }, tool).ok,
  );
  if (flows) return { kind: "floor" };
  const releases = findReleases(terrain, row, tool);
  return releases.length === 0 ? { kind: "flow" } : { kind: "release", releases };
}

function findReleases({ tables }: Terrain, row: Row, tool: number): readonly number[] {
  return row.releases.filter((release) => tables.releases[release]?.tools.includes(tool));
}
