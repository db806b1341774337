import { placeOf } from "../../lang/text/index.ts";
import type { PhaseNode, TaskNode, WorkerNode } from "../../lang/tree/index.ts";
import { duplicateName } from "./codes.ts";
import { type Context, declare, ofKind } from "./context.ts";
import type { Phase, Session, Task, Worker } from "./model/index.ts";
import { bindNarrowings, type NarrowingWords } from "./narrowing.ts";
import { type Subjects, sessionNamed, subjectOf } from "./subjects.ts";

export function bindTasks(
  context: Context,
  words: NarrowingWords,
  sessions: ReadonlyMap<string, Session>,
  nodes: readonly TaskNode[],
): Task[] {
  const none: Subjects = { sessions, tasks: new Map() };
  const first = new Map<string, TaskNode>();
  return nodes.flatMap((node) => {
    const session = sessionNamed(context, none, node.session);
    if (session === undefined) return [];
    const id = `${session.id}.${node.name.text}`;
    declare(context, first, "task", { text: id, span: node.name.span }, node);
    return first.get(id) === node ? [bindTask(context, words, session, node)] : [];
  });
}

function bindTask(context: Context, words: NarrowingWords, session: Session, node: TaskNode): Task {
  const first = new Map<string, PhaseNode>();
  for (const phase of ofKind(node.attributes, "phase")) declare(context, first, "phase", phase.name, phase);
  return {
    id: `${session.id}.${node.name.text}`,
    name: node.name.text,
    session,
    damaged: node.damaged || session.damaged || [...first.values()].some((phase) => phase.damaged),
    ...bindNarrowings(context, words, node.attributes),
    phases: [...first.values()].map((phase) => bindPhase(context, words, phase)),
    node,
  };
}

function bindPhase(context: Context, words: NarrowingWords, node: PhaseNode): Phase {
  const after = node.after?.mode;
  return {
    name: node.name.text,
    after: after === "consent" || after === "stepUp" ? after : undefined,
    ...bindNarrowings(context, words, node.attributes),
    node,
  };
}

/** Ruling 19: sessions that extend inherit tasks. By the name of a session, then by the task's own. */
export function tasksBySession(
  context: Context,
  sessions: ReadonlyMap<string, Session>,
  tasks: readonly Task[],
): Map<string, ReadonlyMap<string, Task>> {
  const written = new Map<Session, Task[]>();
  for (const task of tasks) written.set(task.session, [...(written.get(task.session) ?? []), task]);
  const bySession = new Map<string, ReadonlyMap<string, Task>>();
  for (const session of sessions.values()) {
    const named = new Map<string, Task>();
    for (const task of lineOf(session).flatMap((at) => written.get(at) ?? [])) {
      const before = named.get(task.name);
      if (before === undefined) named.set(task.name, task);
      else if (task.session === session) reportTwice(context, before, task);
    }
    bySession.set(session.id, named);
  }
  return bySession;
}

/** The sessions that a session extends, the farthest first, and itself. */
function lineOf(session: Session): Session[] {
  const line = [session];
  for (let at = session; at.relation === "extends" && at.base !== undefined; at = at.base) line.unshift(at.base);
  return line;
}

function reportTwice(context: Context, before: Task, { name, node }: Task): void {
  context.report(duplicateName.at(node.name.span, { what: "task", name, where: placeOf(before.node.span) }));
}

export function bindWorkers(
  context: Context,
  words: NarrowingWords,
  subjects: Subjects,
  nodes: readonly WorkerNode[],
): Worker[] {
  const first = new Map<string, WorkerNode>();
  return nodes.flatMap((node): Worker[] => {
    const within = subjectOf(context, subjects, node.session);
    if (within === undefined) return [];
    const id = `${within.kind === "task" ? within.task.id : within.session.id}.${node.name.text}`;
    // One name for the whole page: of workers of a session and of its tasks nobody could tell which one is started.
    declare(context, first, "worker", node.name, node);
    if (first.get(node.name.text) !== node) return [];
    const damaged = node.damaged || within.session.damaged;
    return [{ id, name: node.name.text, within, damaged, ...bindNarrowings(context, words, node.attributes), node }];
  });
}
