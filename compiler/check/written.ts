import type { Model, Narrowings, Session, Task, Worker } from "../bind/index.ts";
import { type Answer, answersIn, type NamedLayer, type Place } from "../policy/index.ts";
import type { Page } from "./law.ts";

/** A layer that the package writes: a session of its own, a task, a phase or a worker. */
export interface Written {
  readonly kind: "session" | "task" | "phase" | "worker";
  /** `operator`, `operator.triage`, `operator.triage.look` */
  readonly name: string;
  readonly said: Narrowings;
  readonly session: Session;
  /** What is missing may have been lost to a syntax error. */
  readonly damaged: boolean;
  /** What it narrows; undefined for a session, which narrows at most another one. */
  readonly around: Place | undefined;
}

export function writtenIn(model: Model): Written[] {
  return [
    ...model.sessions.filter(({ own }) => own).map(ofSession),
    ...model.tasks.flatMap(withPhases),
    ...model.workers.map(ofWorker),
  ];
}

function ofSession(session: Session): Written {
  const { id, damaged } = session;
  return { kind: "session", name: id, said: session, session, damaged, around: undefined };
}

function withPhases(task: Task): Written[] {
  const { id, session, damaged } = task;
  const inside = placeIn(session, [layerOfTask(task)]);
  return [
    { kind: "task", name: id, said: task, session, damaged, around: placeIn(session, []) },
    ...task.phases.map((phase): Written => {
      return { kind: "phase", name: phase.id, said: phase, session, damaged, around: inside };
    }),
  ];
}

function ofWorker(worker: Worker): Written {
  const { id, within, damaged } = worker;
  const { session } = within;
  const around = placeIn(session, within.kind === "task" ? [layerOfTask(within.task)] : []);
  return { kind: "worker", name: id, said: worker, session, damaged, around };
}

function layerOfTask(task: Task): NamedLayer {
  return { id: task.id, said: task };
}

function placeIn(session: Session, layers: readonly NamedLayer[]): Place {
  return { session, task: undefined, phase: undefined, worker: undefined, layers };
}

/** What is answered to each tool outside of the layer; nothing for a session that is built on none. */
export function answersAround(
  { model, resolution }: Page,
  { session, around }: Written,
): readonly Answer[] | undefined {
  if (around !== undefined) return answersIn(model, resolution, around);
  return session.base && resolution.get(session.base);
}

/** What is answered to each tool in the layer, in the model's order. */
export function answersWithin(
  { model, resolution }: Page,
  { name, said, session, around }: Written,
): readonly Answer[] {
  if (around === undefined) return resolution.get(session) ?? [];
  return answersIn(model, resolution, { ...around, layers: [...around.layers, { id: name, said }] });
}
