import { placeOf } from "../../../lang/text/index.ts";
import type { PhaseNode, TaskNode, WorkerNode } from "../../../lang/tree/index.ts";
import { duplicateName } from "./codes.ts";
import { type Context, declare, selectKind } from "./context.ts";
import type { Phase, Session, Task, Worker } from "./model/index.ts";
import { bindNarrowings, type NarrowingWords } from "./narrowing.ts";
import { bindParameters } from "./parameters.ts";
import { findTask, resolveSession, resolveSubject, type Subjects } from "./subjects.ts";

export function bindTasks(
  context: Context,
  words: NarrowingWords,
  sessions: ReadonlyMap<string, Session>,
  nodes: readonly TaskNode[],
): Task[] {
  const first = new Map<string, TaskNode>();
  return nodes.flatMap((node) => {
    const session = resolveSession(context, { sessions }, node.session);
    if (session === undefined) return [];
    const id = `${session.id}.${node.name.text}`;
    declare(context, { names: first, what: "task", name: { text: id, span: node.name.span }, declared: node });
    return first.get(id) === node ? [bindTask(context, words, session, node)] : [];
  });
}

function bindTask(context: Context, words: NarrowingWords, session: Session, node: TaskNode): Task {
  const first = new Map<string, PhaseNode>();
  const id = `${session.id}.${node.name.text}`;
  const parameters = bindParameters(context, id, node);
  const own = { ...words, parameters: selectParameters({ id, parameters, node }) };
  for (const phase of selectKind(node.attributes, "phase"))
    declare(context, { names: first, what: "phase", name: phase.name, declared: phase, owner: id });
  return {
    id,
    name: node.name.text,
    session,
    damaged: node.damaged || session.damaged || [...first.values()].some((phase) => phase.damaged),
    parameters,
    ...bindNarrowings(context, own, node.attributes),
    phases: [...first.values()].map((phase) => bindPhase(context, own, id, phase)),
    node,
  };
}

function selectParameters({
  id,
  parameters,
  node,
}: Pick<Task, "id" | "parameters" | "node">): NonNullable<NarrowingWords["parameters"]> {
  return { task: id, names: new Map(parameters.map((one) => [one.name, one])), written: node.parameters };
}

function bindPhase(context: Context, words: NarrowingWords, task: string, node: PhaseNode): Phase {
  const after = node.after?.mode;
  return {
    id: `${task}.${node.name.text}`,
    name: node.name.text,
    after: after === "consent" || after === "stepUp" ? after : undefined,
    ...bindNarrowings(context, words, node.attributes),
    node,
  };
}

/** Reports a task whose name the session also inherits: the session would have two tasks of that name. */
export function checkInherited(context: Context, subjects: Subjects, tasks: readonly Task[]): void {
  for (const { session, name, node } of tasks) {
    const before = session.relation === "extends" && session.base && findTask(subjects, session.base, name);
    if (!before) continue;
    context.report(duplicateName.at(node.name.span, { what: "task", name, where: placeOf(before.node.span) }));
  }
}

export function bindWorkers(
  context: Context,
  words: NarrowingWords,
  subjects: Subjects,
  nodes: readonly WorkerNode[],
): Worker[] {
  const first = new Map<string, WorkerNode>();
  return nodes.flatMap((node): Worker[] => {
    const within = resolveSubject(context, subjects, node.session);
    if (within === undefined) return [];
    const id = `${within.kind === "task" ? within.task.id : within.session.id}.${node.name.text}`;
    // Names of workers are unique on the page: otherwise it would be unclear which worker of a session or its tasks is started.
    declare(context, { names: first, what: "worker", name: node.name, declared: node });
    if (first.get(node.name.text) !== node) return [];
    const damaged = node.damaged || within.session.damaged;
    const own = within.kind === "task" ? { ...words, parameters: selectParameters(within.task) } : words;
    return [{ id, name: node.name.text, within, damaged, ...bindNarrowings(context, own, node.attributes), node }];
  });
}
