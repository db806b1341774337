import { byCodeUnits } from "../../lang/text/index.ts";
import type { Model, Session, Task, Worker } from "../bind/index.ts";
import { layerOf } from "./layers.ts";
import { extendedBy, type NamedLayer, type Place, rowSessions } from "./place.ts";
import { type Answer, narrowed, type Resolution } from "./resolve.ts";

// All places of a page, and what is answered in each.

/** In the order of the tables' rows. */
export function placesOf(model: Model): Place[] {
  return rowSessions(model).flatMap((session) => {
    const own: Place = { session, task: undefined, phase: undefined, worker: undefined, layers: [] };
    const bases = [own, ...tasksOf(model, session).flatMap((task) => placesOfTask(session, task))];
    return bases.flatMap((base) => [base, ...workersOf(model, base)]);
  });
}

/** How many rows a page makes, at most: asked before any of them is made. */
export function rowCount(model: Model): number {
  const phases = new Map<Session, number>();
  const add = (counts: Map<Session, number>, session: Session, count: number) =>
    counts.set(session, (counts.get(session) ?? 0) + count);
  for (const task of model.tasks) add(phases, task.session, Math.max(1, task.phases.length));
  const workers = new Map<Session, number>();
  for (const { within } of model.workers)
    add(workers, within.kind === "task" ? within.task.session : within.session, 1);
  return rowSessions(model).reduce((rows, session) => {
    const line = extendedBy(session);
    const total = (counts: Map<Session, number>) => line.reduce((sum, at) => sum + (counts.get(at) ?? 0), 0);
    return rows + (1 + total(phases)) * (1 + total(workers));
  }, 0);
}

/** Ruling 19: the tasks of a session and of those that it extends. */
export function tasksOf(model: Model, session: Session): Task[] {
  const line = new Set(extendedBy(session));
  const tasks = new Map<string, Task>();
  for (const task of model.tasks) if (line.has(task.session)) tasks.set(task.name, task);
  return [...tasks.values()].sort((left, right) => byCodeUnits(left.name, right.name));
}

/** A task without phases is one phase itself; one with phases is always in one of them. */
function placesOfTask(session: Session, task: Task): Place[] {
  const layer: NamedLayer = { id: task.id, said: task };
  const place: Place = { session, task, phase: undefined, worker: undefined, layers: [layer] };
  if (task.phases.length === 0) return [place];
  return task.phases.map((phase) => {
    return { ...place, phase, layers: [layer, { id: `${task.id}.${phase.name}`, said: phase }] };
  });
}

/** Workers of the session or of the task; a worker is the stricter of both, which is what one more layer comes to. */
function workersOf(model: Model, base: Place): Place[] {
  const line = new Set(extendedBy(base.session));
  const within = ({ within: subject }: Worker) =>
    subject.kind === "task" ? subject.task === base.task : line.has(subject.session);
  return model.workers
    .filter(within)
    .sort((left, right) => byCodeUnits(left.name, right.name))
    .map((worker) => ({ ...base, worker, layers: [...base.layers, { id: worker.id, said: worker }] }));
}

/** What is answered in a place to each tool, in the model's order. */
export function answersIn(model: Model, resolution: Resolution, place: Place): readonly Answer[] {
  return place.layers.reduce(
    (around, { id, said }) => narrowed(model, layerOf(id, said), around),
    resolution.get(place.session) ?? [],
  );
}
