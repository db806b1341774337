import type { Reference } from "../../lang/tree/index.ts";
import { abstractSession, ambiguousName } from "./codes.ts";
import { type Context, resolve } from "./context.ts";
import type { Session, Subject, Task } from "./model/index.ts";

/** Sessions by name, and the tasks that conversations in them may be in. */
export interface Subjects {
  readonly sessions: ReadonlyMap<string, Session>;
  /** By the name of a session: those written in it and in the sessions that it extends, by their own names. */
  readonly tasks: ReadonlyMap<string, ReadonlyMap<string, Task>>;
}

/**
 * A session (`operator`, `profiles.operator`) or a task (`triage`, `operator.triage`; `night_shift.triage` where night_shift
 * extends operator). Nothing where it names neither, which was reported.
 */
export function subjectOf(context: Context, subjects: Subjects, name: Reference): Subject | undefined {
  const session = subjects.sessions.get(name.text);
  if (session !== undefined) return { kind: "session", session };
  const within = subjects.sessions.get(name.text.slice(0, Math.max(0, name.text.lastIndexOf("."))));
  const last = name.parts[name.parts.length - 1];
  const inherited = within && last && subjects.tasks.get(within.id)?.get(last.text);
  if (within && inherited) return { kind: "task", task: inherited, session: within };
  const short = name.parts.length === 1 ? tasksNamed(subjects, name.text) : [];
  if (short.length > 1) {
    context.report(ambiguousName.at(name.span, { name: name.text, meant: short.map(({ id }) => id) }));
    return undefined;
  }
  const [task] = short;
  return task === undefined ? unknown(context, subjects, name) : { kind: "task", task, session: task.session };
}

function tasksNamed(subjects: Subjects, name: string): Task[] {
  const found = new Set<Task>();
  for (const tasks of subjects.tasks.values()) {
    const task = tasks.get(name);
    if (task !== undefined) found.add(task);
  }
  return [...found];
}

function unknown(context: Context, subjects: Subjects, name: Reference): undefined {
  if (name.parts.some(({ text }) => context.lost.has(text))) return;
  const tasks = [...subjects.tasks.values()].flatMap((named) => [...named.values()]);
  const known = [...subjects.sessions.keys(), ...tasks.flatMap((task) => [task.name, task.id])];
  resolve(context, new Map(known.map((id) => [id, id])), "session or task", name);
}

/** One that a conversation can be in. */
export function startedSubject(context: Context, subjects: Subjects, name: Reference): Subject | undefined {
  const subject = subjectOf(context, subjects, name);
  if (subject?.session.abstract !== true) return subject;
  context.report(abstractSession.at(name.span, { name: subject.session.id }));
  return undefined;
}

/** A session that `for` names. */
export function sessionNamed(context: Context, subjects: Subjects, name: Reference): Session | undefined {
  return resolve(context, subjects.sessions, "session", { text: name.text, span: name.span });
}
