import { duplexPair } from "node:stream";
import { afterEach, expect, test } from "vitest";
import {
  type ApprovalQuestion,
  ApprovalState,
  EventKind,
  StepKind,
  StepState,
  TaskCause,
  TaskDesk,
  TaskHost,
  TaskRecord,
  TaskStatus,
} from "../../lib/wire/generated/ledger.ts";
import { type Connection, connect, type MethodLayout } from "../../lib/wire/index.ts";
import { Assignments } from "./assignments.ts";
import { openInMemory } from "./database.ts";
import { Ledger } from "./ledger.ts";
import { MAX_ARGUMENTS_BYTES, MOST_PENDING } from "./limits.ts";
import { APPROVAL_STATES, EVENT_KINDS, STEP_KINDS, STEP_STATES } from "./rows.ts";
import { type LedgerGrant, serveLedger } from "./serve.ts";
import { SqliteStorage } from "./sqlite-storage.ts";
import { CAUSES, STATUSES } from "./statuses.ts";
import { BEGIN, DAY, digest, submission } from "./testing/world.ts";

let ledgers: Ledger[] = [];
/** Assignments of the ledger that the test opened. */
let assignments = new Assignments();
afterEach(() => {
  for (const ledger of ledgers.splice(0)) ledger.close();
  ledgers = [];
  assignments = new Assignments();
});

function openTestLedger(): Ledger {
  const world = { now: () => BEGIN, random: (bytes: number) => new Uint8Array(bytes).fill(1), later: setImmediate };
  const ledger = Ledger.begin(new SqliteStorage(openInMemory()), world);
  if (!ledger.ok) throw new Error(ledger.reason);
  ledgers.push(ledger.value);
  return ledger.value;
}

type Given = Partial<Omit<LedgerGrant, "stream">> & Pick<LedgerGrant, "holder" | "interfaceId">;

function hold(ledger: Ledger, given: Given): Connection | undefined {
  const [mine, theirs] = duplexPair();
  const serving = serveLedger({ mayRead: () => true, ...given, stream: theirs }, ledger, assignments);
  return serving === undefined ? undefined : connect(mine);
}

/** Returns the result of a call, or the reason why it was refused. */
async function ask<P, R>(
  connection: Connection | undefined,
  method: MethodLayout<P, R>,
  params: P,
): Promise<R | string> {
  const called = await connection?.call(method, params);
  if (called === undefined) throw new Error("there is no connection");
  return called.ok ? called.value : called.reason;
}

const holdDesk = (ledger: Ledger, session = "operator", mayRead: LedgerGrant["mayRead"] = () => true) =>
  hold(ledger, { holder: `gate.${session}`, interfaceId: TaskDesk.id, mayRead });
const holdHost = (ledger: Ledger) => hold(ledger, { holder: "host", interfaceId: TaskHost.id });
/** Name of the gate of the worker for tasks that come from the ingress `console`. */
const WORKER = "gate.operator.console";
const holdWorker = (ledger: Ledger) => hold(ledger, { holder: WORKER, interfaceId: TaskRecord.id });

/** Assigns a task to the worker, and returns the connection of the worker's gate. */
async function holdRecord(ledger: Ledger, task: bigint): Promise<Connection | undefined> {
  const assigned = await ask(holdHost(ledger), TaskHost.methods.assign, { worker: WORKER, task });
  if (typeof assigned === "string") throw new Error(assigned);
  return holdWorker(ledger);
}

const { session: _, ...REQUEST } = submission({ label: new Uint8Array([1, 2]) });
const START = { kind: "read", what: "notes.read", call: digest(1) } as const;

function makeQuestion(differences: Partial<ApprovalQuestion> = {}): ApprovalQuestion {
  return {
    tool: "notes.write",
    call: digest(2),
    arguments: Buffer.from("{}"),
    policy: digest(7),
    label: REQUEST.label,
    askedOf: ["alice"],
    quorum: 1,
    deadline: BigInt(BEGIN + DAY),
    ...differences,
  };
}

test("the wire schema and the database number statuses, states and kinds alike, and the ledger knows every cause", () => {
  expect(TaskStatus.members).toEqual(STATUSES);
  expect(StepKind.members).toEqual(STEP_KINDS);
  expect(StepState.members).toEqual(STEP_STATES);
  expect(ApprovalState.members).toEqual(APPROVAL_STATES);
  expect(EventKind.members).toEqual(EVENT_KINDS);
  expect(CAUSES).toEqual(expect.arrayContaining([...TaskCause.members]));
});

test("a task is submitted, worked on, approved by a person, verified and archived over three connections", async () => {
  const ledger = openTestLedger();
  const [desk, host] = [holdDesk(ledger), holdHost(ledger)];
  expect(await ask(desk, TaskDesk.methods.submit, { submission: REQUEST })).toEqual({ id: 1n, number: 1n });
  const record = await holdRecord(ledger, 1n);
  expect(await ask(record, TaskRecord.methods.startStep, { start: START })).toEqual({ number: 1n });
  const ended = { number: 1n, failed: false, result: new Uint8Array([1, 2]) };
  expect(await ask(record, TaskRecord.methods.endStep, ended)).toEqual({});
  const messages = [{ digest: digest(3), bytes: Buffer.from("hello") }];
  expect(await ask(record, TaskRecord.methods.append, { from: 0n, messages })).toEqual({ count: 1n });
  expect(await ask(record, TaskRecord.methods.messages, { from: 0n })).toMatchObject({
    messages: [{ digest: digest(3) }],
  });
  expect(await ask(record, TaskRecord.methods.ask, { question: makeQuestion() })).toEqual({ approval: 1n });
  expect(await ask(record, TaskRecord.methods.startStep, { start: START })).toBe("the task is needsApproval");
  expect(await ask(desk, TaskDesk.methods.approvals, { most: 9 })).toMatchObject({ approvals: [{ id: 1n, task: 1n }] });
  const given = { principal: "alice", approves: true, surface: "console", mac: digest(9), at: 0n };
  expect(await ask(desk, TaskDesk.methods.answer, { approval: 1n, answer: given })).toEqual({ state: "approved" });
  const change = { kind: "change", what: "notes.write", call: digest(2) } as const;
  const approved = { start: change, approval: 1n, policy: digest(7), label: REQUEST.label };
  expect(await ask(record, TaskRecord.methods.startApproved, approved)).toMatchObject({
    number: 2n,
    answers: [{ principal: "alice", approves: true, at: BigInt(BEGIN) }],
    voided: "",
  });
  expect(await ask(record, TaskRecord.methods.startApproved, approved)).toBe("the approval is used");
  await ask(record, TaskRecord.methods.endStep, { number: 2n, failed: false, result: new Uint8Array() });
  expect(await ask(record, TaskRecord.methods.finish, {})).toEqual({});
  expect(await ask(host, TaskHost.methods.open, { after: 0n, most: 9 })).toMatchObject({
    tasks: [{ id: 1n, session: "operator", status: "reviewing", submission: REQUEST }],
  });
  expect(await ask(host, TaskHost.methods.change, { task: 1n, cause: "accept", reason: "" })).toEqual({
    status: "done",
  });
  expect(await ask(desk, TaskDesk.methods.close, { number: 1n, purge: false })).toEqual({});
  const shown = await ask(desk, TaskDesk.methods.show, { number: 1n });
  expect(shown).toMatchObject({
    task: { status: "done", isArchived: true, messages: 1n },
    steps: [{ number: 1n, state: "done", result: new Uint8Array([1, 2]) }, { number: 2n }],
    approvals: [{ state: "used", step: 2n }],
  });
  expect(await ask(host, TaskHost.methods.open, { after: 0n, most: 9 })).toEqual({ tasks: [] });
});

test("the gate of one session reaches no task, approval or event of another session", async () => {
  const ledger = openTestLedger();
  await ask(holdDesk(ledger), TaskDesk.methods.submit, { submission: REQUEST });
  await ask(await holdRecord(ledger, 1n), TaskRecord.methods.ask, { question: makeQuestion() });
  const visitor = holdDesk(ledger, "visitor");
  const none = "the session has no task 1";
  expect(await ask(visitor, TaskDesk.methods.list, { before: 0n, most: 9 })).toEqual({ tasks: [] });
  expect(await ask(visitor, TaskDesk.methods.approvals, { most: 9 })).toEqual({ approvals: [] });
  expect(await ask(visitor, TaskDesk.methods.show, { number: 1n })).toBe(none);
  expect(await ask(visitor, TaskDesk.methods.cancel, { number: 1n, reason: "" })).toBe(none);
  expect(await ask(visitor, TaskDesk.methods.close, { number: 1n, purge: true })).toBe(none);
  expect(await ask(visitor, TaskDesk.methods.takeUp, { number: 1n, policy: digest(7) })).toBe(none);
  const statement = { number: 1n, step: 1n, happened: true, by: "eve", note: "" };
  expect(await ask(visitor, TaskDesk.methods.resolve, statement)).toBe(none);
  const given = { principal: "alice", approves: true, surface: "console", mac: digest(9), at: 0n };
  expect(await ask(visitor, TaskDesk.methods.answer, { approval: 1n, answer: given })).toBe(
    "there is no such approval",
  );
  expect(await ask(visitor, TaskDesk.methods.events, { cursor: new Uint8Array() })).toMatchObject({ events: [] });
});

test("a session's gate reads only events that it is cleared for", async () => {
  const ledger = openTestLedger();
  await ask(holdDesk(ledger), TaskDesk.methods.submit, { submission: REQUEST });
  const readEvents = async (mayRead: LedgerGrant["mayRead"]) =>
    ask(holdDesk(ledger, "operator", mayRead), TaskDesk.methods.events, { cursor: new Uint8Array() });
  expect(await readEvents(() => true)).toMatchObject({ events: [{ kind: "submitted", body: "mend by alice" }] });
  expect(await readEvents((label) => label[0] !== 1)).toMatchObject({ events: [] });
});

test("only the host of tasks, a session's gate and a worker's gate are served, each over its own interface", () => {
  const ledger = openTestLedger();
  const tried: Given[] = [
    { holder: "loop.operator", interfaceId: TaskDesk.id },
    { holder: "gate.", interfaceId: TaskDesk.id },
    { holder: "gate.operator", interfaceId: TaskHost.id },
    { holder: "gate.operator", interfaceId: TaskRecord.id },
    { holder: WORKER, interfaceId: TaskDesk.id },
    { holder: WORKER, interfaceId: TaskHost.id },
    { holder: `${WORKER}.2`, interfaceId: TaskRecord.id },
    { holder: "gate.operator.", interfaceId: TaskRecord.id },
    { holder: "gate..console", interfaceId: TaskRecord.id },
    { holder: "host", interfaceId: TaskDesk.id },
    { holder: "host", interfaceId: TaskRecord.id },
    { holder: "host.2", interfaceId: TaskHost.id },
  ];
  expect(tried.map((given) => hold(ledger, given))).toEqual(tried.map(() => undefined));
});

test("a worker's gate reaches only the task that is assigned to it, and none before and after", async () => {
  const ledger = openTestLedger();
  const [desk, host, record] = [holdDesk(ledger), holdHost(ledger), holdWorker(ledger)];
  for (let count = 0; count < 2; count += 1) await ask(desk, TaskDesk.methods.submit, { submission: REQUEST });
  const readTask = async () => {
    const facts = await ask(record, TaskRecord.methods.facts, {});
    return typeof facts === "string" ? facts : facts.task.id;
  };
  expect(await readTask()).toBe("the worker has no task");
  for (const task of [1n, 2n]) {
    expect(await ask(host, TaskHost.methods.assign, { worker: WORKER, task })).toMatchObject({ task: { id: task } });
    expect(await readTask()).toBe(task);
  }
  expect(await ask(host, TaskHost.methods.withdraw, { worker: WORKER })).toEqual({});
  expect(await readTask()).toBe("the worker has no task");
  expect(await ask(record, TaskRecord.methods.startStep, { start: START })).toBe("the worker has no task");
});

test("a task of another session or ingress is not assigned, and neither is a task that is not open", async () => {
  const ledger = openTestLedger();
  const [desk, host] = [holdDesk(ledger), holdHost(ledger)];
  await ask(desk, TaskDesk.methods.submit, { submission: REQUEST });
  const assign = (worker: string, task: bigint) => ask(host, TaskHost.methods.assign, { worker, task });
  const foreign = "the task is not one of this worker's ingress";
  for (const worker of ["gate.visitor.console", "gate.operator.nightly", "gate.operator", ""])
    expect(await assign(worker, 1n)).toBe(foreign);
  expect(await assign(WORKER, 9n)).toBe("there is no such task");
  await ask(desk, TaskDesk.methods.cancel, { number: 1n, reason: "" });
  expect(await assign(WORKER, 1n)).toBe("the task is cancelled");
  expect(await ask(holdWorker(ledger), TaskRecord.methods.facts, {})).toBe("the worker has no task");
});

test("a worker cannot accept its own work, and the host of tasks cannot finish or cancel a task", async () => {
  const ledger = openTestLedger();
  await ask(holdDesk(ledger), TaskDesk.methods.submit, { submission: REQUEST });
  const [record, host] = [await holdRecord(ledger, 1n), holdHost(ledger)];
  for (const cause of ["accept", "cancel", "finish", "reject"] as const)
    expect(await ask(record, TaskRecord.methods.stop, { cause, reason: "" })).toBe(`a worker cannot ${cause} its task`);
  for (const cause of ["cancel", "finish"] as const)
    expect(await ask(host, TaskHost.methods.change, { task: 1n, cause, reason: "" })).toBe(
      `the host cannot ${cause} a task`,
    );
  // If a worker finishes its task, the task is only under review: it is done when the host accepts it.
  await ask(record, TaskRecord.methods.finish, {});
  expect(await ask(record, TaskRecord.methods.facts, {})).toMatchObject({ task: { status: "reviewing" } });
});

test("an integer above 2^53 - 1 is refused, and other calls of the same commit are carried out", async () => {
  const ledger = openTestLedger();
  const [desk, host] = [holdDesk(ledger), holdHost(ledger)];
  const excessive = 2n ** 53n;
  const said = `an integer is above ${excessive - 1n}`;
  const answers = await Promise.all([
    ask(desk, TaskDesk.methods.submit, { submission: { ...REQUEST, deadline: excessive } }),
    ask(desk, TaskDesk.methods.submit, { submission: REQUEST }),
    ask(desk, TaskDesk.methods.show, { number: 2n ** 64n - 1n }),
    ask(host, TaskHost.methods.open, { after: excessive, most: 1 }),
    ask(desk, TaskDesk.methods.list, { before: excessive - 1n, most: 1 }),
  ]);
  expect(answers).toEqual([said, { id: 1n, number: 1n }, said, said, { tasks: [expect.objectContaining({ id: 1n })] }]);
  expect(await ask(desk, TaskDesk.methods.show, { number: excessive - 1n })).toBe(
    `the session has no task ${excessive - 1n}`,
  );
});

test("lists with the largest approvals, steps and messages are cut to one frame", async () => {
  const ledger = openTestLedger();
  const desk = holdDesk(ledger);
  await ask(desk, TaskDesk.methods.submit, { submission: REQUEST });
  const record = await holdRecord(ledger, 1n);
  const large = new Uint8Array(256 * 1024);
  for (let step = 1n; step <= 5n; step += 1n) {
    await ask(record, TaskRecord.methods.startStep, { start: START });
    await ask(record, TaskRecord.methods.endStep, { number: step, failed: false, result: large });
    const messages = [{ digest: digest(Number(step)), bytes: large }];
    await ask(record, TaskRecord.methods.append, { from: step - 1n, messages });
  }
  const question = makeQuestion({ arguments: new Uint8Array(MAX_ARGUMENTS_BYTES) });
  for (let asked = 0; asked < MOST_PENDING; asked += 1) await ask(record, TaskRecord.methods.ask, { question });
  expect(await ask(record, TaskRecord.methods.steps, { after: 0n, most: 9 })).toMatchObject({
    steps: [{ number: 1n }],
  });
  expect(await ask(record, TaskRecord.methods.messages, { from: 0n })).toMatchObject({ messages: [{}, {}] });
  for (const connection of [
    await ask(record, TaskRecord.methods.approvals, {}),
    await ask(desk, TaskDesk.methods.approvals, { most: 999 }),
  ]) {
    if (typeof connection === "string") throw new Error(connection);
    expect(connection.approvals.length).toBe(7);
  }
  const shown = await ask(desk, TaskDesk.methods.show, { number: 1n });
  if (typeof shown === "string") throw new Error(shown);
  expect(shown.steps.map(({ number }) => number)).toEqual([5n]);
  expect(shown.approvals.map(({ id }) => id)).toEqual([64n, 63n, 62n]);
});
