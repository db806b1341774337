// Computes the outcomes of a call in a state. The checks have the order that prover.md and policy.md give: cell, mode
// with floors, flow, result range.
import type { Decision, Floor, Label, Release, Row, Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { type Mode, modesByTrial, strictest } from "./arguments.ts";
import { fits, holdsAll, labelKey } from "./labels.ts";
import type { Running, System } from "./system.ts";

/**
 * Returns how the call can run, depending on its arguments: its possible gates and releases. Returns none if the call
 * is refused for all arguments.
 */
export function runsOf(system: System, row: number, tool: number, label: Label): readonly Running[] {
  const key = `${row} ${tool} ${labelKey(label)}`;
  const answer = system.answers.get(key) ?? workedOut(system, row, tool, label);
  system.answers.set(key, answer);
  return answer;
}

function workedOut(system: System, rowIndex: number, toolIndex: number, label: Label): Running[] {
  const row = system.tables.rows[rowIndex];
  const tool = system.tables.tools[toolIndex];
  const list = system.tables.decisions[(row?.cells[toolIndex] ?? 0) - 2];
  if (row === undefined || tool === undefined || list === undefined) return [];
  return modesOf(system, toolIndex, list, floorsMet(list.floors, label)).flatMap((mode) =>
    runOf(system, row, toolIndex, label, mode),
  );
}

/**
 * Returns the modes that the list gives to some arguments if these floors apply. The result is cached for the tool, the
 * list and the floors.
 */
export function modesOf(
  system: System,
  toolIndex: number,
  list: Decision,
  floors: readonly Floor[] = [],
): readonly Mode[] {
  const tried = system.tried.get(list) ?? new Map<string, readonly Mode[]>();
  system.tried.set(list, tried);
  const key = [toolIndex, ...floors.map((floor) => list.floors.indexOf(floor))].join(" ");
  const { clauses } = list;
  const modes = tried.get(key) ?? [
    ...modesByTrial(system.tables.tools[toolIndex]?.params ?? [], { clauses, floors }).keys(),
  ];
  tried.set(key, modes);
  return modes;
}

/** Returns how the call runs with this mode, or none if its data must not flow. */
export function runOf(system: System, row: Row, toolIndex: number, label: Label, mode: Mode): Running[] {
  const tool = system.tables.tools[toolIndex];
  if (tool === undefined || mode === "forbidden") return [];
  if (!tool.readOnly && !fits(tool.result.high, row.clearance)) return [];
  if (!sends(tool) || fits(label, tool.sink)) return [{ gate: mode, release: undefined, counted: label }];
  const chosen = releaseOf(system, row, toolIndex, label);
  if (chosen === undefined) return [];
  const { index, release, counted } = chosen;
  const gate = strictest([mode, release.gate]);
  return gate === "forbidden" ? [] : [{ gate, release: index, counted }];
}

/**
 * Returns whether the arguments of the call leave the conversation. The arguments of a read-only tool without network
 * do not leave the conversation.
 */
export function sends(tool: Tool): boolean {
  return !tool.readOnly || tool.networked;
}

/**
 * Returns the floors that apply to a conversation. A person is present, so floors for unattended sessions do not apply.
 */
export function floorsMet(floors: readonly Floor[], label: Label): readonly Floor[] {
  return floors.filter(
    (floor) =>
      !floor.unattended &&
      label.confidentiality >= floor.confidentialityAtLeast &&
      label.integrity <= floor.integrityAtMost &&
      holdsAll(label.compartments, floor.compartments),
  );
}

interface Chosen {
  readonly index: number;
  readonly release: Release;
  readonly counted: Label;
}

/**
 * Returns the release by which the arguments flow. If several releases allow this, returns the first release with
 * consent, or the first release if none has consent.
 */
function releaseOf({ tables }: System, row: Row, toolIndex: number, label: Label): Chosen | undefined {
  const letting: Chosen[] = [];
  for (const index of row.releases) {
    const release = tables.releases[index];
    const sink = tables.tools[toolIndex]?.sink;
    if (release === undefined || sink === undefined || !release.tools.includes(toolIndex)) continue;
    const counted = countedAs(release, label);
    if (fits(label, release.from) && fits(counted, sink)) letting.push({ index, release, counted });
  }
  return letting.find(({ release }) => release.gate === "consent") ?? letting[0];
}

function countedAs({ act, to }: Release, label: Label): Label {
  if (act === "endorse") return { ...label, integrity: to.integrity };
  return { confidentiality: to.confidentiality, compartments: to.compartments, integrity: label.integrity };
}
