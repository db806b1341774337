// The ledger's rows in SQLite. Only the types of a row's values are checked: no other process gets the directory, and
// the start has compared the schema. If a value has another type, the file is corrupt.

import type { Row, Sql } from "../../lib/sqlite/index.ts";
import {
  type Answer,
  APPROVAL_STATES,
  type Approval,
  type ApprovalState,
  EVENT_KINDS,
  type Event,
  type Message,
  STEP_KINDS,
  STEP_STATES,
  type Step,
  type Task,
} from "./rows.ts";
import { STATUSES } from "./statuses.ts";
import type { Clock, NewEvent, Rows } from "./storage.ts";

/** Thrown for a row that this program did not write. */
export class CorruptRow extends Error {}

const TASK = makeStatements(
  "task",
  "session, number, name, status, reason, request, objective, requester, ingress, policy, label, model, harness, created, changed, deadline, messages, archived",
);
const APPROVAL = makeStatements(
  "approval",
  "task, state, reason, tool, call, arguments, policy, label, askedOf, quorum, asked, deadline, step",
);

/**
 * Returns two statements: one inserts a row with all columns except `id`, the other replaces these columns of a row.
 */
function makeStatements(table: string, columns: string): { readonly insert: string; readonly update: string } {
  const values = columns.replace(/\w+/g, "?");
  return {
    insert: `INSERT INTO ${table} (${columns}) VALUES (${values})`,
    update: `UPDATE ${table} SET (${columns}) = (${values}) WHERE id = ?`,
  };
}

export class SqliteRows implements Rows {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  readClock(): Clock | undefined {
    const row = this.#sql.findFirst("SELECT at, run, key FROM clock");
    return row && { at: integer(row, "at"), run: integer(row, "run"), key: blob(row, "key") };
  }

  putClock({ at, run, key }: Clock): void {
    this.#sql.run("INSERT OR REPLACE INTO clock VALUES (0, ?, ?, ?)", at, run, key);
  }

  findTask(id: bigint): Task | undefined {
    return convert(this.#sql.findFirst("SELECT * FROM task WHERE id = ?", id), readTask);
  }

  takeTaskNumber(session: string): bigint {
    const upsert = "INSERT INTO counter VALUES (?, 1) ON CONFLICT (session) DO UPDATE SET tasks = tasks + 1";
    return integer(this.#sql.findFirst(`${upsert} RETURNING tasks`, session) ?? {}, "tasks");
  }

  countOpenTasks(session: string): number {
    const open = "FROM task INDEXED BY taskOpenOfSession WHERE session = ? AND status < 4";
    const row = this.#sql.findFirst(`SELECT count(*) AS count ${open}`, session);
    return Number(integer(row ?? {}, "count"));
  }

  listTasks(session: string, before: bigint, most: number): readonly Task[] {
    const sql = "SELECT * FROM task WHERE session = ? AND number < ? ORDER BY number DESC LIMIT ?";
    return this.#sql.findAll(sql, session, before, most).map(readTask);
  }

  listOpenTasks(after: bigint, most: number): readonly Task[] {
    const sql = "SELECT * FROM task INDEXED BY taskOpen WHERE status < 4 AND id > ? ORDER BY id LIMIT ?";
    return this.#sql.findAll(sql, after, most).map(readTask);
  }

  listOverdueTasks(at: bigint, most: number): readonly Task[] {
    const sql = "SELECT * FROM task WHERE status < 4 AND deadline <= ? ORDER BY deadline, id LIMIT ?";
    return this.#sql.findAll(sql, at, most).map(readTask);
  }

  addTask(task: Omit<Task, "id">): bigint {
    return this.#sql.run(TASK.insert, ...listTaskValues(task));
  }

  putTask(task: Task): void {
    this.#sql.run(TASK.update, ...listTaskValues(task), task.id);
  }

  removeTask({ id, session }: Task): void {
    const uses = "(SELECT count(*) FROM message WHERE task = ? AND message.digest = content.digest)";
    const ofTask = "digest IN (SELECT digest FROM message WHERE task = ?)";
    this.#sql.run(`UPDATE content SET uses = uses - ${uses} WHERE ${ofTask}`, id, id);
    this.#sql.run(`DELETE FROM content WHERE uses = 0 AND ${ofTask}`, id);
    this.#sql.run("DELETE FROM answer WHERE approval IN (SELECT id FROM approval WHERE task = ?)", id);
    for (const table of ["message", "step", "approval"]) this.#sql.run(`DELETE FROM ${table} WHERE task = ?`, id);
    const purged = EVENT_KINDS.indexOf("purged");
    this.#sql.run("DELETE FROM event WHERE session = ? AND task = ? AND kind <> ?", session, id, purged);
    this.#sql.run("DELETE FROM task WHERE id = ?", id);
  }

  findStep(task: bigint, number: bigint): Step | undefined {
    return convert(this.#sql.findFirst("SELECT * FROM step WHERE task = ? AND number = ?", task, number), readStep);
  }

  findLastStepNumber(task: bigint): bigint {
    const row = this.#sql.findFirst("SELECT ifnull(max(number), 0) AS last FROM step WHERE task = ?", task);
    return integer(row ?? {}, "last");
  }

  listSteps(task: bigint, after: bigint, most: number): readonly Step[] {
    const sql = "SELECT * FROM step WHERE task = ? AND number > ? ORDER BY number LIMIT ?";
    return this.#sql.findAll(sql, task, after, most).map(readStep);
  }

  listUnsettledSteps(task: bigint): readonly Step[] {
    const sql = "SELECT * FROM step WHERE task = ? AND (state = 0 OR state = 3) ORDER BY number";
    return this.#sql.findAll(sql, task).map(readStep);
  }

  listInterruptedSteps(run: bigint, most: number): readonly Step[] {
    // SQLite uses the index only if the query contains the index's own condition, which is the first one here.
    const unsettled = "(state = 0 OR state = 3)";
    const sql = `SELECT * FROM step WHERE ${unsettled} AND state = 0 AND run < ? ORDER BY task, number LIMIT ?`;
    return this.#sql.findAll(sql, run, most).map(readStep);
  }

  addStep({ task, number, kind, state, what, call, result, run, started, ended }: Step): void {
    const [kindNumber, stateNumber] = [STEP_KINDS.indexOf(kind), STEP_STATES.indexOf(state)];
    const sql = "INSERT INTO step VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    this.#sql.run(sql, task, number, kindNumber, stateNumber, what, call, result, run, started, ended);
  }

  endStep({ task, number, state, result, ended }: Step): void {
    const sql = "UPDATE step SET state = ?, result = ?, ended = ? WHERE task = ? AND number = ?";
    this.#sql.run(sql, STEP_STATES.indexOf(state), result, ended, task, number);
  }

  addMessage(task: bigint, position: bigint, { digest, bytes }: Message): void {
    const sql = "INSERT INTO content VALUES (?, ?, 1) ON CONFLICT (digest) DO UPDATE SET uses = uses + 1";
    this.#sql.run(sql, digest, bytes);
    this.#sql.run("INSERT INTO message VALUES (?, ?, ?)", task, position, digest);
  }

  listMessages(task: bigint, from: bigint, mostBytes: number): readonly Message[] {
    const sql =
      "SELECT message.digest AS digest, bytes FROM message JOIN content ON content.digest = message.digest WHERE task = ? AND position >= ? ORDER BY position";
    const messages: Message[] = [];
    let size = 0;
    for (const row of this.#sql.iterateRows(sql, task, from)) {
      const message = { digest: blob(row, "digest"), bytes: blob(row, "bytes") };
      size += message.bytes.length;
      if (size > mostBytes && messages.length > 0) break;
      messages.push(message);
    }
    return messages;
  }

  findApproval(id: bigint): Approval | undefined {
    return convert(this.#sql.findFirst("SELECT * FROM approval WHERE id = ?", id), readApproval);
  }

  listApprovals(task: bigint): readonly Approval[] {
    return this.#sql.findAll("SELECT * FROM approval WHERE task = ? ORDER BY id", task).map(readApproval);
  }

  listPendingApprovals(session: string, most: number): readonly Approval[] {
    const sql =
      "SELECT approval.* FROM approval JOIN task ON task.id = approval.task WHERE approval.state = 0 AND task.session = ? ORDER BY approval.id LIMIT ?";
    return this.#sql.findAll(sql, session, most).map(readApproval);
  }

  countPendingApprovals(task: bigint): number {
    const row = this.#sql.findFirst("SELECT count(*) AS count FROM approval WHERE task = ? AND state = 0", task);
    return Number(integer(row ?? {}, "count"));
  }

  listOverdueApprovals(at: bigint, most: number): readonly Approval[] {
    const sql = "SELECT * FROM approval WHERE state = 0 AND deadline <= ? ORDER BY deadline, id LIMIT ?";
    return this.#sql.findAll(sql, at, most).map(readApproval);
  }

  addApproval(approval: Omit<Approval, "id">): bigint {
    return this.#sql.run(APPROVAL.insert, ...listApprovalValues(approval));
  }

  putApproval(approval: Approval): void {
    this.#sql.run(APPROVAL.update, ...listApprovalValues(approval), approval.id);
  }

  listAnswers(approval: bigint): readonly Answer[] {
    const rows = this.#sql.findAll("SELECT * FROM answer WHERE approval = ? ORDER BY at, principal", approval);
    return rows.map((row) => ({
      approval,
      principal: text(row, "principal"),
      verdict: integer(row, "approves") === 1n ? "approve" : "deny",
      surface: text(row, "surface"),
      mac: blob(row, "mac"),
      at: integer(row, "at"),
    }));
  }

  addAnswer({ approval, principal, verdict, surface, mac, at }: Answer): void {
    const approves = verdict === "approve" ? 1 : 0;
    this.#sql.run("INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?)", approval, principal, approves, surface, mac, at);
  }

  findSchedule(name: string): bigint | undefined {
    const row = this.#sql.findFirst("SELECT through FROM schedule WHERE name = ?", name);
    return row && integer(row, "through");
  }

  putSchedule(name: string, through: bigint): void {
    this.#sql.run("INSERT OR REPLACE INTO schedule VALUES (?, ?)", name, through);
  }

  addEvent({ at, session, task, kind, label, body }: NewEvent): void {
    const sequence = this.takeSequence(session);
    const sql = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)";
    this.#sql.run(sql, session, sequence, at, task, EVENT_KINDS.indexOf(kind), label, body);
  }

  /** Returns the next sequence number of the session's events. */
  protected takeSequence(session: string): bigint {
    const sql = "SELECT ifnull(max(sequence), 0) + 1 AS next FROM event WHERE session = ?";
    return integer(this.#sql.findFirst(sql, session) ?? {}, "next");
  }

  listEvents(session: string, after: bigint, most: number): readonly Event[] {
    const sql = "SELECT * FROM event WHERE session = ? AND sequence > ? ORDER BY sequence LIMIT ?";
    return this.#sql.findAll(sql, session, after, most).map((row) => ({
      sequence: integer(row, "sequence"),
      at: integer(row, "at"),
      session,
      task: integer(row, "task"),
      kind: member(row, "kind", EVENT_KINDS),
      label: blob(row, "label"),
      body: text(row, "body"),
    }));
  }

  findLatestTime(): bigint {
    // SQLite finds the last event of each session through the primary key, and does not read the other events.
    const last = "SELECT max(sequence) AS sequence, session FROM event GROUP BY session";
    const sql = `SELECT ifnull(max(event.at), 0) AS latest FROM (${last}) AS last JOIN event USING (session, sequence)`;
    return integer(this.#sql.findFirst(sql) ?? {}, "latest");
  }
}

function listTaskValues(task: Omit<Task, "id">) {
  const { session, number, name, status, reason, request, objective, requester, ingress, policy, label } = task;
  const { model, harness, created, changed, deadline, messages, isArchived } = task;
  const first = [session, number, name, STATUSES.indexOf(status), reason, request, objective, requester, ingress];
  return [...first, policy, label, model, harness, created, changed, deadline, messages, isArchived ? 1 : 0];
}

function readTask(row: Row): Task {
  return {
    id: integer(row, "id"),
    session: text(row, "session"),
    number: integer(row, "number"),
    name: text(row, "name"),
    status: member(row, "status", STATUSES),
    reason: text(row, "reason"),
    request: text(row, "request"),
    objective: text(row, "objective"),
    requester: text(row, "requester"),
    ingress: text(row, "ingress"),
    policy: blob(row, "policy"),
    label: blob(row, "label"),
    model: text(row, "model"),
    harness: text(row, "harness"),
    created: integer(row, "created"),
    changed: integer(row, "changed"),
    deadline: integer(row, "deadline"),
    messages: integer(row, "messages"),
    isArchived: integer(row, "archived") === 1n,
  };
}

function readStep(row: Row): Step {
  return {
    task: integer(row, "task"),
    number: integer(row, "number"),
    kind: member(row, "kind", STEP_KINDS),
    state: member(row, "state", STEP_STATES),
    what: text(row, "what"),
    call: blob(row, "call"),
    result: blob(row, "result"),
    run: integer(row, "run"),
    started: integer(row, "started"),
    ended: integer(row, "ended"),
  };
}

function listApprovalValues(approval: Omit<Approval, "id">) {
  const { task, state, reason, tool, call, policy, label, askedOf, quorum, asked, deadline, step } = approval;
  const head = [task, APPROVAL_STATES.indexOf(state), reason, tool, call, approval.arguments];
  return [...head, policy, label, JSON.stringify(askedOf), quorum, asked, deadline, step];
}

function readApproval(row: Row): Approval {
  return {
    id: integer(row, "id"),
    task: integer(row, "task"),
    state: member<ApprovalState>(row, "state", APPROVAL_STATES),
    reason: text(row, "reason"),
    tool: text(row, "tool"),
    call: blob(row, "call"),
    arguments: blob(row, "arguments"),
    policy: blob(row, "policy"),
    label: blob(row, "label"),
    askedOf: readNames(text(row, "askedOf")),
    quorum: Number(integer(row, "quorum")),
    asked: integer(row, "asked"),
    deadline: integer(row, "deadline"),
    step: integer(row, "step"),
  };
}

function readNames(json: string): readonly string[] {
  const names: unknown = JSON.parse(json);
  if (Array.isArray(names) && names.every((name) => typeof name === "string")) return names;
  throw new CorruptRow("askedOf is not a list of names");
}

function convert<T>(row: Row | undefined, read: (row: Row) => T): T | undefined {
  return row === undefined ? undefined : read(row);
}

function integer(row: Row, column: string): bigint {
  const value = row[column];
  if (typeof value === "bigint") return value;
  throw new CorruptRow(`${column} is not an integer`);
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new CorruptRow(`${column} is not text`);
}

function blob(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  throw new CorruptRow(`${column} is not a blob`);
}

function member<T extends string>(row: Row, column: string, words: readonly T[]): T {
  const word = words[Number(integer(row, column))];
  if (word !== undefined) return word;
  throw new CorruptRow(`${column} has no such value`);
}
