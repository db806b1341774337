// Finds all states of conversations and all contents of stores, by trying every step from every known state until there
// are no new states. This module uses plain loops over plain sets, and is deliberately slow.
import type { Label, LabelRange, Row, Tool } from "../../../../engine/lib/wire/generated/policy.ts";
import { runsOf, sends } from "./calls.ts";
import { fits, isBetween, labelKey, together } from "./labels.ts";
import { isParent, type System, storeOf } from "./system.ts";

/**
 * Test that an assertion makes on a label. If the test is true for a label, it is true for every join of this label with
 * another one.
 */
export type Matcher = (label: Label) => boolean;

export interface State {
  readonly row: number;
  readonly label: Label;
  /** For each matcher, whether the conversation has read matching data. */
  readonly seen: readonly boolean[];
}

/** Data in a store, which is the data of one service. */
export interface Entry {
  readonly label: Label;
  readonly seen: readonly boolean[];
}

export interface Question {
  readonly matchers: readonly Matcher[];
  /** Whether data that flowed only because of a release does not count as read. */
  readonly withoutReleases: boolean;
}

/** Reached states of conversations, and reached contents of stores, by their keys. */
export interface Reached {
  readonly states: Map<string, State>;
  readonly content: Map<string, Map<string, Entry>>;
}

export function reach(system: System, question: Question): Reached {
  const reached: Reached = { states: new Map(), content: new Map(system.stores.map(({ name }) => [name, new Map()])) };
  for (const [row, { task, worker, phaseIndex, starts, requiresTask }] of system.tables.rows.entries()) {
    if (worker !== "" || requiresTask || (task !== "" && phaseIndex !== 0)) continue;
    addState(reached, { row, label: starts, seen: question.matchers.map(() => false) });
  }
  for (let before = -1; before !== sizeOf(reached); ) {
    before = sizeOf(reached);
    for (const state of reached.states.values()) {
      pass(system, reached, state);
      for (const tool of system.tables.tools.keys()) call(system, question, reached, state, tool);
    }
    grants(system, reached);
  }
  return reached;
}

function sizeOf({ states, content }: Reached): number {
  let size = states.size;
  for (const entries of content.values()) size += entries.size;
  return size;
}

export function stateKey({ row, label, seen }: State): string {
  return `${row} ${labelKey(label)} ${seen}`;
}

function addState({ states }: Reached, state: State): void {
  const key = stateKey(state);
  if (!states.has(key)) states.set(key, state);
}

export function addEntry({ content }: Reached, store: string, entry: Entry): void {
  const entries = content.get(store);
  const key = `${labelKey(entry.label)} ${entry.seen}`;
  if (entries?.has(key) === false) entries.set(key, entry);
}

/**
 * Returns for each matcher whether an entry meets it: by the data that was written into the entry, or by the entry's
 * label.
 */
export function has({ matchers }: Question, { label, seen }: Entry): boolean[] {
  return matchers.map((matches, index) => seen[index] === true || matches(label));
}

/**
 * Adds the states that a conversation in this state reaches when it enters a phase, gets a text from an ingress, or
 * starts a worker.
 */
function pass(system: System, reached: Reached, state: State): void {
  const { rows, ingresses } = system.tables;
  const now = rows[state.row];
  if (now === undefined) return;
  for (const [row, next] of rows.entries()) {
    if (isLaterPhase(now, next)) addState(reached, { ...state, row });
    if (isParent(now, next)) addState(reached, { ...state, row, label: together(state.label, next.starts) });
    if (isParent(next, now)) {
      for (const parent of [...reached.states.values()]) {
        if (parent.row === row) addState(reached, answered(parent, state));
      }
    }
  }
  for (const { row, label } of ingresses) {
    if (row === state.row && now.parameters.length === 0)
      addState(reached, { ...state, label: together(state.label, label) });
  }
}

/** Returns the conversation that started a worker, after the worker has ended. */
export function answered(parent: State, worker: State): State {
  const seen = parent.seen.map((bit, index) => bit || worker.seen[index] === true);
  return { row: parent.row, label: together(parent.label, worker.label), seen };
}

export function isLaterPhase(now: Row, next: Row): boolean {
  if (now.session !== next.session || now.task !== next.task || now.task === "") return false;
  return now.worker === "" && next.worker === "" && next.phaseIndex > now.phaseIndex;
}

function call(system: System, question: Question, reached: Reached, state: State, toolIndex: number): void {
  const tool = system.tables.tools[toolIndex];
  const row = system.tables.rows[state.row];
  const runs = runsOf(system, state.row, toolIndex, state.label);
  if (tool === undefined || row === undefined || runs.length === 0) return;
  const { range } = storeOf(system, tool.provider);
  for (const { release, counted } of runs) {
    if (!sends(tool)) continue;
    const cleared = release !== undefined && question.withoutReleases;
    const seen = cleared ? question.matchers.map(() => false) : has(question, state);
    addEntry(reached, tool.provider, { label: storedAs(range, counted), seen });
  }
  for (const label of system.labels) {
    if (isBetween(label, tool.result)) addState(reached, admitted(row, state, { label, seen: [] }));
  }
  for (const entry of [...(reached.content.get(tool.provider)?.values() ?? [])]) {
    const back = comesBack(tool, entry);
    if (back !== undefined) addState(reached, admitted(row, state, back));
  }
}

/**
 * Returns an entry of a store with the label under which the tool returns it, or `undefined` if the tool's label range
 * excludes it.
 */
export function comesBack(tool: Tool, entry: Entry): Entry | undefined {
  const label = together(tool.result.low, entry.label);
  return isBetween(label, tool.result) ? { label, seen: entry.seen } : undefined;
}

/**
 * Returns the conversation after a result. If the result is above the clearance, it is withheld, but still raises the
 * label.
 */
export function admitted({ clearance }: Row, state: State, result: Entry): State {
  const label = together(state.label, result.label);
  if (!fits(label, clearance)) return { ...state, label };
  return { row: state.row, label, seen: state.seen.map((bit, index) => bit || result.seen[index] === true) };
}

/**
 * Returns the label under which a store keeps data. If the store has a range of labels, the label is the join of the
 * data's label and the lowest label of the range. This label never exceeds the highest label of the range.
 */
export function storedAs(range: LabelRange, label: Label): Label {
  if (labelKey(range.low) === labelKey(range.high)) return range.low;
  const joined = together(range.low, label);
  return fits(joined, range.high) ? joined : range.high;
}

/** Copies the contents of services in both directions of each grant. */
export function grants(system: System, reached: Reached): void {
  for (const { name, uses } of system.stores) {
    for (const used of uses) {
      pour(system, reached, name, used);
      pour(system, reached, used, name);
    }
  }
}

function pour(system: System, reached: Reached, from: string, to: string): void {
  const { range } = storeOf(system, to);
  for (const { label, seen } of [...(reached.content.get(from)?.values() ?? [])]) {
    addEntry(reached, to, { label: storedAs(range, label), seen });
  }
}
