// Computes transitions of a conversation between rows: the start of a task, its later phases, the start of a
// conversation by a message of an ingress, and the start of a worker. Only a person, and not a model, can move a
// conversation to a later phase.

import { accept, type Result, refuse } from "../result/result.ts";
import type { Row } from "../wire/generated/policy.ts";
import { beginIn, type Conversation, moveTo } from "./conversation.ts";
import { join } from "./label.ts";
import type { PermissionMode } from "./mode.ts";
import { chargePrompt } from "./quota.ts";
import type { IndexedTables } from "./tables.ts";
import { type ChosenValues, isOfKind } from "./task-parameters.ts";

/** The entry of a conversation into a row: the gate that guards the entry, and the conversation after the entry. */
export interface Passage {
  readonly gate: Exclude<PermissionMode, "forbidden">;
  /** Index of the rule that requires the gate. */
  readonly rule: number | undefined;
  readonly conversation: Conversation;
}

/**
 * Returns a conversation at the beginning of a task of a session. Fails if a parameter of the task has no value of its kind. Without
 * `chosen` the values are unknown, and conditions on them cannot be evaluated.
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

/**
 * Returns the name of the first parameter of the row's task without a value of its kind in `chosen`; `undefined` if
 * each parameter has one.
 */
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

/**
 * Returns the entry of a conversation into a later phase of its task. Phases may be skipped, but not entered again.
 * Fails if the conversation has no such later phase, if it is that of a worker, or if a quota of prompts is used up.
 */
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

/** Returns the names of the phases that a conversation may still enter, in order. */
export function listLaterPhases(tables: IndexedTables, conversation: Conversation): readonly string[] {
  const now = tables.rows[conversation.row];
  if (now === undefined || now.task === "" || now.worker !== "") return [];
  return tables.rows.filter((row) => isOfTask(row, now) && row.phaseIndex > now.phaseIndex).map((row) => row.phase);
}

/** Returns the names of the tasks that a person may begin in a session, in code-unit order. */
export function listTasks(tables: IndexedTables, session: string): readonly string[] {
  const tasks = tables.rows.filter((row) => row.session === session && row.task !== "").map((row) => row.task);
  return [...new Set(tasks)];
}

/**
 * Returns a conversation that begins with a message from outside. From the start, the conversation's label contains the
 * label of the message. Fails if there is no such ingress, if its task has parameters (a person must choose these), or
 * if the question at the gate of its row would exceed a quota of prompts.
 */
export function openIngress(tables: IndexedTables, name: string): Result<Passage> {
  const ingress = tables.ingresses.find((one) => one.name === name);
  const row = ingress && tables.rows[ingress.row];
  if (ingress === undefined || row === undefined) return refuse(`no ingress ${name}`);
  if (row.parameters.length > 0) return refuse(`task ${row.task} has parameters, which a person chooses`);
  const begun = beginIn(row, ingress.row);
  return resolvePassage(tables, row, { ...begun, label: join(begun.label, ingress.label) });
}

/**
 * Returns the conversation of a worker. The worker's conversation has the label of its parent, and calls of the worker
 * are charged to the parent. Fails if the parent is itself a worker, or if no such worker can be started in the
 * parent's row.
 */
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
 * Returns the parent after its worker has answered, with the worker's label joined to its own. Fails if the parent has
 * left the phase in which the worker started: a later phase might not allow the joined label, and no proof covers this
 * case.
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

/**
 * Returns the entry of a conversation into a row. If the gate of the row asks a person, the question counts as a prompt
 * (ruling 8). Fails if this prompt exceeds a quota.
 */
function resolvePassage(tables: IndexedTables, row: Row, conversation: Conversation): Result<Passage> {
  const gate = row.entry;
  // A row is closed if its gate is `forbidden`. Tables with a closed row are refused when they are loaded, so the next
  // line only narrows the type of the gate.
  if (gate === "forbidden") return refuse("this row is closed");
  if (gate === "auto") return accept({ gate, rule: undefined, conversation });
  const { spent, exhausted } = chargePrompt(row, conversation);
  if (exhausted !== undefined) return refuse(`used up: ${tables.rules[exhausted.rule]?.words}`);
  return accept({ gate, rule: row.entryRule, conversation: { ...conversation, spent } });
}
