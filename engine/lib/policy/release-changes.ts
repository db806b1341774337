// Finds out for which data a change of releases alters what happens to calls of a tool.
import type { Decision, Label, Release, Row } from "../wire/generated/policy.ts";
import { findList, renderList } from "./decision-text.ts";
import { checkFlow } from "./flow.ts";
import { formatLabel, formatSecrecy } from "./label.ts";
import { isStricter, type PermissionMode } from "./mode.ts";
import type { IndexedTables } from "./tables.ts";

/** Tables before or after a change, a row of them, and the index of a tool; -1 if there is no such tool. */
interface ToolInRow {
  readonly tables: IndexedTables;
  readonly row: Row;
  readonly tool: number;
}

/** How calls of a tool are decided before and after a change, if the conversation has read data of one label. */
interface ReleaseChange {
  readonly before: string;
  readonly after: string;
}

/**
 * Returns a change for each label whose data may flow to the tool only before the change, only after it, or behind different gates. A
 * release treats all data that it covers alike, so the highest label that it covers represents all of them.
 */
export function listReleaseChanges(before: ToolInRow, after: ToolInRow): readonly ReleaseChange[] {
  const found = new Map<string, ReleaseChange>();
  for (const side of [before, after])
    for (const release of listReleases(side)) {
      const label = computeHighest(release, side);
      const [then, now] = [findGate(before, label), findGate(after, label)];
      // The releases have the same effect as before; a change of lines alone is not reported here.
      if (then === now) continue;
      const [was, is] = [describeAt(before, then), describeAt(after, now)];
      const data = renderData(side.tables, release, label);
      if (was !== is && !found.has(data)) found.set(data, { before: `${was}, for data at ${data}`, after: is });
    }
  return [...found.values()];
}

function listReleases({ tables, row, tool }: ToolInRow): readonly Release[] {
  return row.releases.flatMap((index) => {
    const release = tables.releases[index];
    return release?.tools.includes(tool) === true ? [release] : [];
  });
}

/** Returns the highest label whose data a release lets flow to the tool. */
function computeHighest({ act, from, to }: Release, { tables, tool }: ToolInRow): Label {
  const sink = tables.tools[tool]?.sink ?? to;
  switch (act) {
    case "declassify":
      return { ...from, integrity: Math.max(from.integrity, sink.integrity) };
    case "endorse":
      return {
        integrity: from.integrity,
        confidentiality: Math.min(from.confidentiality, sink.confidentiality),
        compartments: from.compartments & sink.compartments,
      };
  }
}

function renderData({ lattice }: IndexedTables, { act, from }: Release, label: Label): string {
  return act === "declassify" ? formatSecrecy(lattice, from) : formatLabel(lattice, label);
}

/** How data flows to a tool: without a release, behind the gate of a release, or not at all. */
type FlowGate = Release["gate"] | "free" | "refused";

function findGate({ tables, row, tool }: ToolInRow, label: Label): FlowGate {
  const flow = checkFlow(tables, row, { row: tables.rows.indexOf(row), label, unattended: false, spent: [] }, tool);
  return flow.ok ? (flow.value?.release.gate ?? "free") : "refused";
}

/** Returns how calls of the tool are decided if data flows to it in this way. */
function describeAt({ tables, row, tool }: ToolInRow, gate: FlowGate): string {
  const list = findList(tables, row, tool);
  if (list === undefined || gate === "free" || getPlainMode(list) === "forbidden") return renderList(list);
  return gate === "refused" ? "refusedByPolicy" : renderReleased(list, gate);
}

function renderReleased(list: Decision, gate: Release["gate"]): string {
  const mode = getPlainMode(list);
  if (mode === undefined) return `${renderList(list)}, at least ${gate}, by a release`;
  return `${isStricter(mode, gate) ? mode : gate} by a release`;
}

/** Returns the mode of a tool that has the same mode for all arguments and conversations; otherwise `undefined`. */
function getPlainMode({ clauses, floors }: Decision): PermissionMode | undefined {
  const [only, ...others] = clauses;
  return others.length === 0 && floors.length === 0 && only?.conditions.length === 0 ? only.met : undefined;
}
