import { compareCodeUnits } from "../../../lang/text/index.ts";
import type { Model, Narrowings, Phase, Session, Task, Worker } from "../bind/index.ts";

/**
 * Place of a conversation: a session, and optionally a task of the session, a phase of the task, and a worker that was
 * started there. The tables have one row for each place.
 */
export interface Place {
  readonly session: Session;
  readonly task: Task | undefined;
  readonly phase: Phase | undefined;
  readonly worker: Worker | undefined;
  /** The task, phase and worker of the place as layers that narrow the session, the outermost first. */
  readonly layers: readonly NamedLayer[];
}

export interface NamedLayer {
  readonly id: string;
  readonly said: Narrowings;
}

/** Returns the items in code-unit order of names, as in all lists of a policy. */
export function sortByName<T extends { readonly name: string }>(items: Iterable<T>): T[] {
  return [...items].sort((left, right) => compareCodeUnits(left.name, right.name));
}

/**
 * Returns the sessions of the package that conversations can be in, because they are not abstract, in code-unit order
 * of names.
 */
export function selectRowSessions(model: Model): Session[] {
  const sessions = model.sessions.filter((session) => session.own && !session.abstract);
  return sessions.sort((left, right) => compareCodeUnits(left.id, right.id));
}

/**
 * Returns a session and all its bases, nearest first: the sessions that it extends, and those that it is declared
 * `from`.
 */
export function listBases(session: Session): Session[] {
  const line: Session[] = [];
  for (let at: Session | undefined = session; at !== undefined; at = at.base) line.push(at);
  return line;
}

/** Returns a session and the sessions that it extends. */
export function listExtended(session: Session): Session[] {
  const line = [session];
  for (let at = session; at.relation === "extends" && at.base !== undefined; at = at.base) line.push(at.base);
  return line;
}
