import type {
  BoundLine,
  BoundPattern,
  Model,
  Narrowings,
  Phase,
  Session,
  Task,
  Widening,
  Worker,
} from "../../phases/bind/index.ts";
import { type Answer, computeAnswers, type NamedLayer, type Place } from "../../phases/policy/index.ts";
import type { Page } from "./law.ts";

/** A layer that a file of the package declares: a session, a task, a phase or a worker. */
export interface OwnLayer {
  readonly kind: "session" | "task" | "phase" | "worker";
  /** Name such as `operator`, `operator.triage` or `operator.triage.look`. */
  readonly name: string;
  readonly said: Narrowings;
  /** Widenings of a session; other layers have none. */
  readonly widenings: readonly Widening[];
  readonly session: Session;
  /** Whether parts of the layer may be missing because of a syntax error. */
  readonly damaged: boolean;
  /** The place that the layer narrows; `undefined` for a session, because a session can only narrow another session. */
  readonly around: Place | undefined;
}

export function collectLayers(model: Model): OwnLayer[] {
  return [
    ...model.sessions.filter(({ own }) => own).map(createSessionLayer),
    ...model.tasks.flatMap(createTaskLayers),
    ...model.workers.map(createWorkerLayer),
  ];
}

/** Returns the layers inside of sessions: tasks, phases and workers. */
export function listNarrowings({ tasks, workers }: Model): readonly (Task | Phase | Worker)[] {
  return [...tasks, ...tasks.flatMap(({ phases }) => phases), ...workers];
}

/** Returns the lines of a layer, followed by those of its widenings. */
export function listLines({ lines }: Narrowings, widenings: readonly Widening[]): readonly BoundLine[] {
  return [...lines, ...widenings.flatMap((widening) => widening.lines)];
}

/** Returns every pattern in the lines, `only` and `suppress` of a layer. */
export function listPatterns(said: Narrowings, widenings: readonly Widening[]): readonly BoundPattern[] {
  const lines = [...listLines(said, widenings), ...said.floors];
  return [...lines.flatMap(({ patterns }) => patterns), ...said.only.flat(), ...said.suppress];
}

/** Returns the keys of the patterns that occur in several lines. */
export function listSharedPatterns(lines: readonly BoundLine[]): ReadonlySet<string> {
  const [once, shared] = [new Set<string>(), new Set<string>()];
  for (const { patterns } of lines) for (const { key } of patterns) (once.has(key) ? shared : once).add(key);
  return shared;
}

/** Returns patterns of lines that forbid a category without tools on the page: such lines are about future tools. */
export function findDefensive({ lines }: Narrowings): readonly BoundPattern[] {
  return lines
    .filter(({ mode, where }) => mode === "forbidden" && where === undefined)
    .flatMap(({ patterns }) => patterns)
    .filter(({ category, tools }) => category !== undefined && tools.length === 0);
}

function createSessionLayer(session: Session): OwnLayer {
  const { id, damaged, widenings } = session;
  return { kind: "session", name: id, said: session, widenings, session, damaged, around: undefined };
}

function createTaskLayers(task: Task): OwnLayer[] {
  const { id, session, damaged } = task;
  const inside = placeIn(session, [createTaskLayer(task)]);
  const both = { widenings: [], session, damaged };
  return [
    { ...both, kind: "task", name: id, said: task, around: placeIn(session, []) },
    ...task.phases.map((phase): OwnLayer => {
      return { ...both, kind: "phase", name: phase.id, said: phase, around: inside };
    }),
  ];
}

function createWorkerLayer(worker: Worker): OwnLayer {
  const { id, within, damaged } = worker;
  const { session } = within;
  const around = placeIn(session, within.kind === "task" ? [createTaskLayer(within.task)] : []);
  return { kind: "worker", name: id, said: worker, widenings: [], session, damaged, around };
}

function createTaskLayer(task: Task): NamedLayer {
  return { id: task.id, said: task };
}

function placeIn(session: Session, layers: readonly NamedLayer[]): Place {
  return { session, task: undefined, phase: undefined, worker: undefined, layers };
}

/**
 * Returns one decision for each tool, which the layer may only narrow. For a task, a phase or a worker they come from
 * the place around it, for a session from its base; `undefined` without a base.
 */
export function findAnswersAround(
  { model, resolution }: Page,
  { session, around }: OwnLayer,
): readonly Answer[] | undefined {
  if (around !== undefined) return computeAnswers(model, resolution, around);
  return session.base && resolution.get(session.base);
}

/** Returns the decision about each tool in the layer, in the order of the model's tools. */
export function computeAnswersWithin(
  { model, resolution }: Page,
  { name, said, session, around }: OwnLayer,
): readonly Answer[] {
  if (around === undefined) return resolution.get(session) ?? [];
  return computeAnswers(model, resolution, { ...around, layers: [...around.layers, { id: name, said }] });
}
