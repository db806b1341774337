import type { Reference } from "../../../lang/tree/index.ts";
import { abstractSession, ambiguousName } from "./codes.ts";
import { type Context, noteUse, resolve } from "./context.ts";
import type { Session, Subject, Task } from "./model/index.ts";

/** Sessions and tasks of the page by name. */
export interface Subjects {
  readonly sessions: ReadonlyMap<string, Session>;
  /**
   * Tasks that each session declares itself, by their names. Inherited tasks are looked up in the base session, never
   * copied.
   */
  readonly written: ReadonlyMap<Session, ReadonlyMap<string, Task>>;
  /** Tasks of all sessions by name. Several sessions may have a task with the same name. */
  readonly named: ReadonlyMap<string, readonly Task[]>;
  /** Sessions that can run, and the sessions that these extend. */
  readonly covering: ReadonlySet<Session>;
  /** Names and ids of all sessions and tasks, for suggestions; the map has each name as key and as value. */
  readonly known: ReadonlyMap<string, string>;
}

export function indexSubjects(sessions: ReadonlyMap<string, Session>, tasks: readonly Task[]): Subjects {
  const written = new Map<Session, Map<string, Task>>();
  const named = new Map<string, Task[]>();
  for (const task of tasks) {
    const own = written.get(task.session) ?? new Map<string, Task>();
    written.set(task.session, own.set(task.name, task));
    const alike = named.get(task.name);
    if (alike === undefined) named.set(task.name, [task]);
    else alike.push(task);
  }
  const words = [...sessions.keys(), ...tasks.flatMap(({ name, id }) => [name, id])];
  return {
    sessions,
    written,
    named,
    covering: collectCovering(sessions.values()),
    known: new Map(words.map((word) => [word, word])),
  };
}

/**
 * Ruling 19: returns the task of this name in a session or in the nearest session that it extends; `undefined` if none
 * has such a task.
 */
export function findTask(subjects: Subjects, session: Session, name: string): Task | undefined {
  for (let at: Session | undefined = session; at !== undefined; at = at.relation === "extends" ? at.base : undefined) {
    const task = subjects.written.get(at)?.get(name);
    if (task !== undefined) return task;
  }
  return undefined;
}

/**
 * Returns a session (`operator`, `profiles.operator`) or a task (`triage`, `operator.triage`; `night_shift.triage` if
 * night_shift extends operator). If the name is neither, reports it and returns `undefined`.
 */
export function resolveSubject(context: Context, subjects: Subjects, name: Reference): Subject | undefined {
  const session = subjects.sessions.get(name.text);
  if (session !== undefined) {
    noteUse(context, "session", session.id, name.span);
    return { kind: "session", session };
  }
  const within = subjects.sessions.get(name.text.slice(0, Math.max(0, name.text.lastIndexOf("."))));
  const last = name.parts[name.parts.length - 1];
  const inherited = within && last && findTask(subjects, within, last.text);
  if (within && last && inherited) {
    noteUse(context, "session", within.id, { ...name.span, end: last.span.start - 1 });
    noteUse(context, "task", inherited.id, last.span);
    return { kind: "task", task: inherited, session: within };
  }
  const [task, ...more] = subjects.named.get(name.text) ?? [];
  if (task !== undefined && more.length > 0) {
    context.report(ambiguousName.at(name.span, { name: name.text, meant: [task, ...more].map(({ id }) => id) }));
    return undefined;
  }
  if (task === undefined) return reportUnknown(context, subjects, name);
  noteUse(context, "task", task.id, name.span);
  return { kind: "task", task, session: task.session };
}

function reportUnknown(context: Context, subjects: Subjects, name: Reference): undefined {
  if (name.parts.some(({ text }) => context.lost.has(text))) return;
  resolve(context, { names: subjects.known, what: "session or task", name });
}

/**
 * Returns the session or task of a test or an ingress, or `undefined` if the name is unknown. For an abstract session,
 * reports this and returns `undefined`, because no conversation can be in it.
 */
export function resolveStartedSubject(context: Context, subjects: Subjects, name: Reference): Subject | undefined {
  const subject = resolveSubject(context, subjects, name);
  if (subject?.session.abstract !== true) return subject;
  context.report(abstractSession.at(name.span, { name: subject.session.id }));
  return undefined;
}

/**
 * Checks whether a conversation can be in the subject of an assertion or a waiver. If no conversation can be in it,
 * this is an error, because every claim about such a subject would hold trivially.
 */
export function checkCovers(
  { report }: Context,
  { sessions, covering }: Subjects,
  session: Session,
  name: Reference,
): void {
  if (covering.has(session) || [...sessions.values()].some(({ damaged }) => damaged)) return;
  report(abstractSession.at(name.span, { name: session.id }));
}

/**
 * Ruling 19: returns the sessions that can run, and the sessions that they extend. A session that others only name
 * after `from` is not included. The function visits each session once.
 */
function collectCovering(sessions: Iterable<Session>): ReadonlySet<Session> {
  const covering = new Set<Session>();
  for (const session of sessions) {
    let at: Session | undefined = session.abstract ? undefined : session;
    for (; at !== undefined && !covering.has(at); at = at.relation === "extends" ? at.base : undefined)
      covering.add(at);
  }
  return covering;
}

/**
 * Returns a session that `for` names. If there is no session of this name, reports the name and returns `undefined`.
 */
export function resolveSession(
  context: Context,
  { sessions }: Pick<Subjects, "sessions">,
  name: Reference,
): Session | undefined {
  return resolve(context, { names: sessions, what: "session", name: { text: name.text, span: name.span } });
}
