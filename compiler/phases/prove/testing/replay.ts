// Replays a witness step by step with the naive evaluator: checks whether each step is possible, and where it ends. A store may return
// several entries under one label; every possibility is followed.
import { accept, type Result, refuse } from "../../../../engine/lib/result/result.ts";
import type { Label } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Witness, WitnessCall, WitnessConversation, WitnessStep } from "../index.ts";
import { type Chosen, filledIn, modeWith, NOTHING_CHOSEN } from "./arguments.ts";
import { floorsMet, runOf, sends } from "./calls.ts";
import { mayUse } from "./claims.ts";
import { isBetween, isSame, together } from "./labels.ts";
import {
  addEntry,
  admitted,
  answered,
  comesBack,
  type Entry,
  grants,
  has,
  isLaterPhase,
  type Question,
  type Reached,
  type State,
  storedAs,
} from "./reach.ts";
import { isParent, type Running, type System, storeOf } from "./system.ts";

/**
 * End of a witness: its last step, which breaks the claim, and the possible states before this step. If the witness has
 * no steps, the possible states are the initial ones.
 */
export interface Ended {
  readonly states: readonly State[];
  readonly last: WitnessStep | undefined;
}

class Impossible extends Error {}

/**
 * Returns the end of the last conversation of a witness. If a step is impossible, fails with the step and the reason.
 */
export function replayed(system: System, question: Question, witness: Witness): Result<Ended> {
  const world: Reached = { states: new Map(), content: new Map(system.stores.map(({ name }) => [name, new Map()])) };
  const stage = { system, question, world, chosen: NOTHING_CHOSEN };
  try {
    const ends = witness.conversations.map((played) => conversation(stage, played));
    const last = ends.at(-1);
    return last === undefined ? refuse("no conversation") : accept(last);
  } catch (error) {
    if (error instanceof Impossible) return refuse(error.message);
    throw error;
  }
}

interface Stage {
  /** Values of the parameters of the conversation's task. */
  readonly chosen: Chosen;
  readonly system: System;
  readonly question: Question;
  readonly world: Reached;
}

function conversation(stage: Stage, { session, task, chosen = [], steps }: WitnessConversation): Ended {
  const { rows } = stage.system.tables;
  const row = rows.findIndex(
    (one) => one.session === session && one.task === task && one.worker === "" && one.phaseIndex === 0,
  );
  const starts = rows[row]?.starts;
  if (starts === undefined) throw new Impossible(`no conversation begins in ${session} ${task}`);
  const begun = { row, label: starts, seen: stage.question.matchers.map(() => false) };
  if (rows[row]?.parameters.some(({ name }) => !chosen.some((one) => one.name === name)) === true)
    throw new Impossible(`${task} begins without a value`);
  return play({ ...stage, chosen: new Map(chosen.map(({ name, value }) => [name, value])) }, [begun], steps);
}

function play(stage: Stage, from: readonly State[], steps: readonly WitnessStep[]): Ended {
  let states = from;
  let ended: Ended = { states, last: undefined };
  for (const step of steps) {
    const before = states;
    const after = states.flatMap((state) => stepped(stage, state, step));
    states = after.filter(({ label }) => isSame(label, step.label));
    if (states.length === 0)
      throw new Impossible(`${JSON.stringify(step, bigintText)} after ${JSON.stringify(before, bigintText)}`);
    ended = step.kind === "worker" ? endOfWorker(stage, before, step) : { states: before, last: step };
  }
  return ended;
}

function bigintText(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function stepped(stage: Stage, state: State, step: WitnessStep): readonly State[] {
  const { tables } = stage.system;
  const now = tables.rows[state.row];
  if (now === undefined) return [];
  switch (step.kind) {
    case "call": {
      let states: readonly State[] = [state];
      for (let time = 0; time < (step.times ?? 1); time++) states = states.flatMap((one) => called(stage, one, step));
      return states;
    }
    case "phase": {
      const row = tables.rows.findIndex((next) => isLaterPhase(now, next) && next.phase === step.phase);
      return tables.rows[row]?.entry === step.gate ? [{ ...state, row }] : [];
    }
    case "ingress": {
      const coming = tables.ingresses.find(({ name }) => name === step.name);
      return coming?.row === state.row ? [{ ...state, label: together(state.label, coming.label) }] : [];
    }
    case "worker": {
      const begun = begunWorker(stage, state, step.worker);
      if (begun === undefined) return [];
      // If the last step of a witness is a worker, the worker has not ended and breaks the claim itself.
      const ends = step.steps.reduce((states, inner) => within(stage, states, inner), [begun]);
      return ends.flatMap((worker) => [{ ...state, label: worker.label }, answered(state, worker)]);
    }
    case "infer": {
      const choice = now.backends.find(({ backend }) => tables.backends[backend]?.name === step.backend);
      const usable = choice !== undefined && mayUse(stage.system, state).includes(choice.backend);
      return usable && choice.mode === step.gate ? [state] : [];
    }
  }
}

function within(stage: Stage, states: readonly State[], step: WitnessStep): State[] {
  return states.flatMap((state) => stepped(stage, state, step)).filter(({ label }) => isSame(label, step.label));
}

function begunWorker({ system: { tables } }: Stage, state: State, worker: string): State | undefined {
  const parent = tables.rows[state.row];
  const row = tables.rows.findIndex((one) => parent !== undefined && isParent(parent, one) && one.worker === worker);
  const starts = tables.rows[row]?.starts;
  return starts && { ...state, row, label: together(state.label, starts) };
}

function endOfWorker(stage: Stage, parents: readonly State[], step: WitnessStep & { readonly kind: "worker" }): Ended {
  const begun = parents.flatMap((state) => begunWorker(stage, state, step.worker) ?? []);
  return play(stage, begun, step.steps);
}

function called(stage: Stage, state: State, step: WitnessCall): readonly State[] {
  const { system, question, world } = stage;
  const index = system.tables.tools.findIndex(({ name }) => name === step.tool);
  const tool = system.tables.tools[index];
  const row = system.tables.rows[state.row];
  const run = runWith(stage, state, index, step);
  if (tool === undefined || row === undefined || run?.gate !== step.gate || run.release !== step.release) return [];
  if (sends(tool)) {
    const cleared = run.release !== undefined && question.withoutReleases;
    const seen = cleared ? question.matchers.map(() => false) : has(question, state);
    addEntry(world, tool.provider, { label: storedAs(storeOf(system, tool.provider).range, run.counted), seen });
    for (let before = -1; before !== entriesIn(world); ) {
      before = entriesIn(world);
      grants(system, world);
    }
  }
  if (step.returning === undefined) return [state];
  const stated: Label = step.returning;
  if (!isBetween(stated, tool.result)) return [];
  const stored = [...(world.content.get(tool.provider)?.values() ?? [])].flatMap(
    (entry) => comesBack(tool, entry) ?? [],
  );
  const results: Entry[] = [{ label: stated, seen: [] }, ...stored.filter(({ label }) => isSame(label, stated))];
  return results.map((result) => admitted(row, state, result));
}

function entriesIn({ content }: Reached): number {
  let size = 0;
  for (const entries of content.values()) size += entries.size;
  return size;
}

/** Returns how the call runs with exactly these arguments. */
function runWith(
  { system, chosen }: Stage,
  { row, label }: State,
  index: number,
  step: WitnessCall,
): Running | undefined {
  const at = system.tables.rows[row];
  const tool = system.tables.tools[index];
  const list = system.tables.decisions[(at?.cells[index] ?? 0) - 2];
  if (at === undefined || tool === undefined || list === undefined) return undefined;
  const values: Readonly<Record<string, unknown>> = JSON.parse(step.arguments);
  const isUnfit = tool.params.some(({ name, required }) => required && !Object.hasOwn(values, name));
  const isStrange = Object.keys(values).some((name) => !tool.params.some((param) => param.name === name));
  if (isUnfit || isStrange) return undefined;
  const hearing = new Map(step.heard?.map(({ sources, standing }) => [JSON.stringify(sources), standing]));
  const asked = filledIn({ clauses: list.clauses, floors: floorsMet(list.floors, label) }, chosen);
  const mode = modeWith(asked, values, hearing);
  return runOf(system, at, index, label, mode)[0];
}
