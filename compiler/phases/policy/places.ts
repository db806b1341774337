import type { Model, Session, Task, Worker } from "../bind/index.ts";
import { createLayer } from "./layers.ts";
import { listExtended, type NamedLayer, type Place, selectRowSessions, sortByName } from "./place.ts";
import { type Answer, narrowLayer, type Resolution } from "./resolve.ts";

// Enumerates the places of conversations that a page defines. For each place and tool, it computes the answer: the
// clauses and floors that decide about calls of the tool in this place.

/** Returns all places in the order of the tables' rows. */
export function enumeratePlaces(model: Model): Place[] {
  const tasks = groupBy(model.tasks, ({ session }) => session);
  const workers = groupBy(model.workers, ({ within }) => (within.kind === "task" ? within.task : within.session));
  return selectRowSessions(model).flatMap((session) => {
    const own: Place = { session, task: undefined, phase: undefined, worker: undefined, layers: [] };
    const line = listExtended(session);
    const inherited = sortByName(line.flatMap((at) => tasks.get(at) ?? []));
    const bases = [own, ...inherited.flatMap((task) => enumerateTaskPlaces(session, task))];
    const ofSession = line.flatMap((at) => workers.get(at) ?? []);
    return bases.flatMap((base) => {
      const ofTask = base.task === undefined ? [] : (workers.get(base.task) ?? []);
      return [base, ...sortByName([...ofSession, ...ofTask]).map((worker) => addWorker(base, worker))];
    });
  });
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns an upper bound of the number of rows of a page. A check uses this bound before any row is created. */
export function countRows(model: Model): number {
  const phases = new Map<Session, number>();
  const add = (counts: Map<Session, number>, session: Session, count: number) =>
    counts.set(session, (counts.get(session) ?? 0) + count);
  for (const task of model.tasks) add(phases, task.session, Math.max(1, task.phases.length));
  const workers = new Map<Session, number>();
  for (const { within } of model.workers)
    add(workers, within.kind === "task" ? within.task.session : within.session, 1);
  return selectRowSessions(model).reduce((rows, session) => {
    const line = listExtended(session);
    const countInLine = (counts: Map<Session, number>) => line.reduce((sum, at) => sum + (counts.get(at) ?? 0), 0);
    return rows + (1 + countInLine(phases)) * (1 + countInLine(workers));
  }, 0);
}

/**
 * Returns the places of a task. A task without phases counts as one phase; a task with phases is always in one of its
 * phases.
 */
function enumerateTaskPlaces(session: Session, task: Task): Place[] {
  const layer: NamedLayer = { id: task.id, said: task };
  const place: Place = { session, task, phase: undefined, worker: undefined, layers: [layer] };
  if (task.phases.length === 0) return [place];
  return task.phases.map((phase) => {
    return { ...place, phase, layers: [layer, { id: phase.id, said: phase }] };
  });
}

/**
 * Adds a worker as one more layer. Two decisions exist for each tool: that of the worker, and that of the place where
 * the worker was started. The stricter one applies.
 */
function addWorker(base: Place, worker: Worker): Place {
  return { ...base, worker, layers: [...base.layers, { id: worker.id, said: worker }] };
}

type Answers = readonly Answer[];

/**
 * Cache of narrowed answers. The keys are the answers of the outer layers, and the task, phase or worker that narrows
 * them. Many laws need the answers of the same layer, and each phase needs the answers of its task.
 */
const left = new WeakMap<Answers, WeakMap<NamedLayer["said"], Answers>>();

/** Returns the answer of a place for each tool, in the model's order. */
export function computeAnswers(model: Model, resolution: Resolution, place: Place): Answers {
  const first: Answers = resolution.get(place.session) ?? [];
  return place.layers.reduce((around, layer) => narrowAnswers(model, layer, around), first);
}

function narrowAnswers(model: Model, { id, said }: NamedLayer, around: Answers): Answers {
  const known = left.get(around) ?? new WeakMap<NamedLayer["said"], Answers>();
  left.set(around, known);
  const answers = known.get(said) ?? narrowLayer(model, createLayer(id, said), around);
  known.set(said, answers);
  return answers;
}
