// Transitions between rows: the start of a task, its later phases, its start by words from outside, and the start of a worker. A person
// chooses each of these steps; no model can.

import { accept, type Result, refuse } from "../result/result.ts";
import type { Row } from "../wire/generated/policy.ts";
import { beginIn, type Conversation, moveTo } from "./conversation.ts";
import { join } from "./label.ts";
import type { PermissionMode } from "./mode.ts";
import { chargePrompt } from "./quota.ts";
import type { IndexedTables } from "./tables.ts";
import { type ChosenValues, isOfKind } from "./task-parameters.ts";

/** A step into a row: what has to be passed before it is made, and the conversation once it is. */
export interface Passage {
  readonly gate: Exclude<PermissionMode, "forbidden">;
  /** Index into the tables' rules: the line that asks for the gate. */
  readonly rule: number | undefined;
  readonly conversation: Conversation;
}

/**
 * Returns a conversation at the beginning of a task of a session. Fails if a parameter of the task has no value of its kind. Without
 * `chosen` the values are not known, so that no condition about them can be evaluated.
 */
export function openTask(tables: IndexedTables, session: string, task: string, chosen?: ChosenValues): Result<Passage> {
  const index = tables.rows.findIndex(
    (row) => row.session === session && row.task === task && task !== "" && row.phaseIndex === 0 && !row.worker,
  );
  const row = tables.rows[index];
  if (row === undefined) return refuse(`no task ${task} in session ${session}`);
  const missing = chosen && findUnchosen(row, chosen);
  if (missing !== undefined) return refuse(`the parameter ${missing} of task ${task} has no value`);
  const begun = beginIn(row, index);
  return resolvePassage(tables, row, row.parameters.length === 0 ? begun : { ...begun, parameters: chosen });
}

/** Returns a parameter of the row's task that has no value of its kind; `undefined` if all have one. */
function findUnchosen({ parameters }: Row, chosen: ChosenValues): string | undefined {
  const isChosen = ({ name, kind }: Row["parameters"][number]) => {
    const value = chosen.get(name);
    return value !== undefined && isOfKind(value, kind);
  };
  return parameters.find((parameter) => !isChosen(parameter))?.name;
}

/** Returns the parameters of a task of a session, in the order of the page; `undefined` if there is no such task. */
export function findParameters(tables: IndexedTables, session: string, task: string): Row["parameters"] | undefined {
  return tables.rows.find((row) => row.session === session && row.task === task && task !== "")?.parameters;
}

/** The step of a conversation into a later phase of its task. Phases may be left out, and never gone back to. */
export function enterPhase(tables: IndexedTables, conversation: Conversation, phase: string): Result<Passage> {
  const now = tables.rows[conversation.row];
  if (now === undefined || now.task === "") return refuse("this conversation is in no task");
  if (now.worker !== "") return refuse("a worker stays in the phase in which it was started");
  const index = tables.rows.findIndex((row) => isOfTask(row, now) && row.phase === phase && phase !== "");
  const row = tables.rows[index];
  if (row === undefined) return refuse(`task ${now.task} has no phase ${phase}`);
  if (row.phaseIndex <= now.phaseIndex) return refuse(`phases go forward only, and this is ${now.phase}`);
  return resolvePassage(tables, row, moveTo(tables, conversation, index));
}

/** Names of the phases that a conversation may still enter, in their order. */
export function listLaterPhases(tables: IndexedTables, conversation: Conversation): readonly string[] {
  const now = tables.rows[conversation.row];
  if (now === undefined || now.task === "" || now.worker !== "") return [];
  return tables.rows.filter((row) => isOfTask(row, now) && row.phaseIndex > now.phaseIndex).map((row) => row.phase);
}

/** Names of the tasks that a person may begin in a session, in code-unit order. */
export function listTasks(tables: IndexedTables, session: string): readonly string[] {
  const tasks = tables.rows.filter((row) => row.session === session && row.task !== "").map((row) => row.task);
  return [...new Set(tasks)];
}

/** A conversation that begins with words from outside: their label is joined at once. */
export function openIngress(tables: IndexedTables, name: string): Result<Passage> {
  const ingress = tables.ingresses.find((one) => one.name === name);
  const row = ingress && tables.rows[ingress.row];
  if (ingress === undefined || row === undefined) return refuse(`no ingress ${name}`);
  if (row.parameters.length > 0) return refuse(`task ${row.task} has parameters, which a person chooses`);
  const begun = beginIn(row, ingress.row);
  return resolvePassage(tables, row, { ...begun, label: join(begun.label, ingress.label) });
}

/** Returns a worker's conversation: it has its parent's label, and its use counts as the parent's. */
export function startWorker(tables: IndexedTables, parent: Conversation, worker: string): Result<Conversation> {
  const now = tables.rows[parent.row];
  if (now === undefined || now.worker !== "") return refuse("a worker starts no workers");
  const index = tables.rows.findIndex(
    (row) => row.session === now.session && row.task === now.task && row.phase === now.phase && row.worker === worker,
  );
  if (worker === "" || index === -1) return refuse(`no worker ${worker} can be started here`);
  return accept(moveTo(tables, parent, index));
}

/**
 * Returns the parent once its worker has answered: it has seen all that the worker saw. Fails after the phase in which the worker started:
 * a later phase might not allow what the parent has seen by then, and no proof covers that.
 */
export function endWorker(tables: IndexedTables, parent: Conversation, worker: Conversation): Result<Conversation> {
  const [now, done] = [tables.rows[parent.row], tables.rows[worker.row]];
  if (now === undefined || done === undefined || done.worker === "") return refuse("no worker has answered");
  if (!isOfTask(now, done) || now.phase !== done.phase) return refuse("the phase in which it was started is over");
  const { spent } = moveTo(tables, worker, parent.row);
  return accept({ ...parent, label: join(parent.label, worker.label), spent });
}

function isOfTask(row: Row, now: Row): boolean {
  return row.session === now.session && row.task === now.task && row.worker === "";
}

/** Ruling 8: a gate before a phase counts as a prompt. */
function resolvePassage(tables: IndexedTables, row: Row, conversation: Conversation): Result<Passage> {
  const gate = row.entry;
  // Refused where tables are loaded; a row that nobody may enter would otherwise be entered without a question.
  if (gate === "forbidden") return refuse("this row is closed");
  if (gate === "auto") return accept({ gate, rule: undefined, conversation });
  const { spent, exhausted } = chargePrompt(row, conversation);
  if (exhausted !== undefined) return refuse(`used up: ${tables.rules[exhausted.rule]?.words}`);
  return accept({ gate, rule: row.entryRule, conversation: { ...conversation, spent } });
}
