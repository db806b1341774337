// Computes the fewest steps to each state, by lowering known costs until none changes. The beginning of a conversation
// counts as one step. A step that two conversations need counts for both of them. This module does not support workers,
// because their steps are nested.
import { runsOf, sends } from "./calls.ts";
import { isBetween, labelKey, together } from "./labels.ts";
import {
  admitted,
  comesBack,
  type Entry,
  has,
  isLaterPhase,
  type Question,
  type State,
  stateKey,
  storedAs,
} from "./reach.ts";
import { type System, storeOf } from "./system.ts";

interface Costed<T> {
  readonly what: T;
  readonly steps: number;
}

/** The fewest steps to each state, and to the data in each store, by their keys. */
interface Costs {
  readonly states: Map<string, Costed<State>>;
  readonly content: Map<string, Map<string, Costed<Entry>>>;
}

export function fewestSteps(system: System, question: Question): Costs {
  const costs: Costs = { states: new Map(), content: new Map(system.stores.map(({ name }) => [name, new Map()])) };
  for (const [row, { task, phaseIndex, starts, requiresTask }] of system.tables.rows.entries()) {
    const state = { row, label: starts, seen: question.matchers.map(() => false) };
    if (!requiresTask && (task === "" || phaseIndex === 0)) lower(costs.states, stateKey(state), state, 1);
  }
  for (let isLower = true; isLower; ) {
    isLower = false;
    for (const at of [...costs.states.values()]) {
      if (pass(system, costs, at)) isLower = true;
      for (const tool of system.tables.tools.keys()) if (call(system, question, costs, at, tool)) isLower = true;
    }
    if (grants(system, costs)) isLower = true;
  }
  return costs;
}

/** Stores a number of steps if it is lower than the known number. Returns whether it is lower. */
function lower<T>(known: Map<string, Costed<T>> | undefined, key: string, what: T, steps: number): boolean {
  if (known === undefined || (known.get(key)?.steps ?? Number.POSITIVE_INFINITY) <= steps) return false;
  known.set(key, { what, steps });
  return true;
}

function pass(system: System, { states }: Costs, { what, steps }: Costed<State>): boolean {
  const { rows, ingresses } = system.tables;
  const now = rows[what.row];
  const later = [...rows.keys()].filter((row) => {
    const next = rows[row];
    return now !== undefined && next !== undefined && isLaterPhase(now, next);
  });
  const coming = ingresses.filter(({ row }) => row === what.row);
  const next: State[] = [
    ...later.map((row) => ({ ...what, row })),
    ...coming.map(({ label }) => ({ ...what, label: together(what.label, label) })),
  ];
  return next.map((state) => lower(states, stateKey(state), state, steps + 1)).includes(true);
}

function call(system: System, question: Question, costs: Costs, at: Costed<State>, index: number): boolean {
  const { what: state, steps } = at;
  const tool = system.tables.tools[index];
  const row = system.tables.rows[state.row];
  const runs = runsOf(system, state.row, index, state.label);
  if (tool === undefined || row === undefined || runs.length === 0) return false;
  const held = costs.content.get(tool.provider);
  const lowered: boolean[] = [];
  for (const { release, counted } of sends(tool) ? runs : []) {
    const cleared = release !== undefined && question.withoutReleases;
    const seen = cleared ? question.matchers.map(() => false) : has(question, state);
    const entry = { label: storedAs(storeOf(system, tool.provider).range, counted), seen };
    lowered.push(lower(held, `${labelKey(entry.label)} ${seen}`, entry, steps + 1));
  }
  const said = system.labels.filter((label) => isBetween(label, tool.result)).map((label) => ({ label, seen: [] }));
  const results: Costed<Entry>[] = said.map((what) => ({ what, steps: 0 }));
  for (const { what, steps: before } of held?.values() ?? []) {
    const back = comesBack(tool, what);
    if (back !== undefined) results.push({ what: back, steps: before });
  }
  for (const { what, steps: before } of results) {
    const next = admitted(row, state, what);
    lowered.push(lower(costs.states, stateKey(next), next, steps + before + 1));
  }
  return lowered.includes(true);
}

function grants(system: System, { content }: Costs): boolean {
  const pairs = system.stores.flatMap(({ name, uses }) =>
    uses.flatMap((used) => [[name, used] as const, [used, name] as const]),
  );
  const lowered = pairs.flatMap(([from, to]) =>
    [...(content.get(from)?.values() ?? [])].map(({ what: { label, seen }, steps }) => {
      const entry = { label: storedAs(storeOf(system, to).range, label), seen };
      return lower(content.get(to), `${labelKey(entry.label)} ${seen}`, entry, steps);
    }),
  );
  return lowered.includes(true);
}
