// What can come of a call in a state, by the order of checks that prover.md and policy.md give: cell, mode with floors, flow,
// what its result may be above.
import type { Floor, Label, Release, Row, Tool } from "../../../engine/wire/generated/policy.ts";
import { type Mode, modesByTrial, strictest } from "./arguments.ts";
import { fits, holdsAll, labelKey } from "./labels.ts";
import type { System } from "./system.ts";

/** A call that runs. */
export interface Running {
  readonly gate: Exclude<Mode, "forbidden">;
  /** Index of the release without which the arguments might not flow. */
  readonly release: number | undefined;
  /** What the arguments count as. */
  readonly counted: Label;
}

/** Answers that were worked out before: the same are asked for in every question about a system. */
const known = new WeakMap<System, Map<string, readonly Running[]>>();

/** Each way in which some arguments make the call run; none where it is refused whatever they are. */
export function runsOf(system: System, row: number, tool: number, label: Label): readonly Running[] {
  const answers = known.get(system) ?? new Map<string, readonly Running[]>();
  known.set(system, answers);
  const key = `${row} ${tool} ${labelKey(label)}`;
  const answer = answers.get(key) ?? workedOut(system, row, tool, label);
  answers.set(key, answer);
  return answer;
}

function workedOut(system: System, rowIndex: number, toolIndex: number, label: Label): Running[] {
  const row = system.tables.rows[rowIndex];
  const tool = system.tables.tools[toolIndex];
  const list = system.tables.decisions[(row?.cells[toolIndex] ?? 0) - 2];
  if (row === undefined || tool === undefined || list === undefined) return [];
  const modes = [...modesByTrial(tool.params, list).keys()];
  return modes.flatMap((mode) =>
    runOf(system, row, toolIndex, label, strictest([mode, ...floorsMet(list.floors, label)])),
  );
}

/** The call behind this mode of its line and floors, where flow lets it. */
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

/** Its arguments leave the conversation: what only reads on this machine keeps them to itself. */
export function sends(tool: Tool): boolean {
  return !tool.readOnly || tool.networked;
}

/** Somebody is there: a floor for where nobody is asks for nothing. */
export function floorsMet(floors: readonly Floor[], label: Label): Mode[] {
  const met = floors.filter(
    (floor) =>
      !floor.unattended &&
      label.confidentiality >= floor.confidentialityAtLeast &&
      label.integrity <= floor.integrityAtMost &&
      holdsAll(label.compartments, floor.compartments),
  );
  return met.map(({ mode }) => mode);
}

interface Chosen {
  readonly index: number;
  readonly release: Release;
  readonly counted: Label;
}

/** Of those that let the words out: one that asks for consent before one that asks for a signature, then the first. */
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
