import { beforeEach, expect, test } from "vitest";
import {
  type ApprovedStart,
  answerApproval,
  askApproval,
  type Question,
  startApprovedStep,
  voidApproval,
} from "./approvals.ts";
import { openInMemory } from "./database.ts";
import type { Decision } from "./deciding.ts";
import { Ledger } from "./ledger.ts";
import type { Approval, Task } from "./rows.ts";
import { beginSchedule, submitRuns } from "./schedules.ts";
import { SqliteStorage } from "./sqlite-storage.ts";
import { endStep, reconcileStep, resolveStep, startStep } from "./steps.ts";
import { appendMessages, changeStatus, closeTask, describeTask, submitTask, takeUpTask } from "./tasks.ts";
import { BEGIN, DAY, decideNow, digest, expectDecided, submission, TestWorld } from "./testing/world.ts";

let world = new TestWorld();
let storage = new SqliteStorage(openInMemory());
let ledger = begin();

function begin(): Ledger {
  const begun = Ledger.begin(storage, world);
  if (!begun.ok) throw new Error(begun.reason);
  return begun.value;
}

beforeEach(() => {
  world = new TestWorld();
  storage = new SqliteStorage(openInMemory());
  ledger = begin();
});

const accepted = <T>(decision: Decision<T>): Promise<T> => expectDecided(ledger, world, decision);

async function refused<T>(decision: Decision<T>): Promise<string> {
  const before = contents();
  const decided = await decideNow(ledger, world, decision);
  // A refused decision has changed nothing.
  expect(contents()).toEqual(before);
  return decided.ok ? "accepted" : decided.reason;
}

/** Returns what a person could see of all tasks, for comparison. */
function contents() {
  return storage.transact((rows) =>
    ["operator", "visitor"].map((session) => [
      rows.listTasks(session, 1n << 60n, 1000),
      rows.listPendingApprovals(session, 1000),
      rows.listEvents(session, 0n, 1000),
    ]),
  );
}

const submitted = async (differences = {}): Promise<bigint> => (await accepted(submitTask(submission(differences)))).id;

function taskOf(id: bigint): Task {
  const found = storage.transact((rows) => rows.findTask(id));
  if (!found.ok || found.value === undefined) throw new Error("no such task");
  return found.value;
}

function approvalOf(id: bigint): Approval {
  const found = storage.transact((rows) => rows.findApproval(id));
  if (!found.ok || found.value === undefined) throw new Error("no such approval");
  return found.value;
}

const question = (task: bigint, differences: Partial<Question> = {}): Question => ({
  task,
  tool: "notes.write",
  call: digest(1),
  arguments: Buffer.from('{"path":"a"}'),
  policy: digest(7),
  label: Buffer.from("internal"),
  askedOf: ["alice", "bob", "carol"],
  quorum: 2,
  deadline: BigInt(BEGIN + DAY / 2),
  ...differences,
});

const yes = (principal: string) => ({ principal, verdict: "approve" as const, surface: "console", mac: digest(3) });
const no = (principal: string) => ({ ...yes(principal), verdict: "deny" as const });

const start = (approval: bigint, differences: Partial<ApprovedStart> = {}): ApprovedStart => ({
  approval,
  kind: "change",
  what: "notes.write",
  call: digest(1),
  policy: digest(7),
  label: Buffer.from("internal"),
  ...differences,
});

test("tasks are numbered in their session, so that a number tells nothing about other sessions", async () => {
  await submitted();
  await submitted({ session: "visitor" });
  const second = await accepted(submitTask(submission()));
  expect([second.number, taskOf(second.id)]).toMatchObject([2n, { session: "operator", status: "open", messages: 0n }]);
});

test.each([
  ["a long request", { request: "x".repeat(16 * 1024 + 1) }, "request has 16385 bytes; the maximum is 16384"],
  ["a long name", { name: "n".repeat(257) }, "name has 257 bytes"],
  ["a long label", { label: new Uint8Array(3000) }, "label has 3000 bytes"],
  ["a short digest", { policy: new Uint8Array(31) }, "policy has 31 bytes, not 32"],
  ["a passed deadline", { deadline: BigInt(BEGIN) }, "the deadline of the task has passed"],
])("refuses a submission with %s", async (_, differences, reason) => {
  expect(await refused(submitTask(submission(differences)))).toContain(reason);
});

test("a task whose model immediately says `done` gets no further than `reviewing`, and is open again if the review is rejected", async () => {
  const id = await submitted();
  expect(await refused(changeStatus(id, "accept", ""))).toBe("a task that is open refuses 'accept'");
  await accepted(changeStatus(id, "finish", "the worker says so"));
  expect(taskOf(id)).toMatchObject({ status: "reviewing", reason: "the worker says so" });
  await accepted(changeStatus(id, "reject", "the tests fail"));
  await accepted(changeStatus(id, "finish", ""));
  await accepted(changeStatus(id, "accept", ""));
  expect(await refused(changeStatus(id, "cancel", ""))).toBe("a task that is done refuses 'cancel'");
});

test("a task with a step that has not ended is not done", async () => {
  const id = await submitted();
  const step = await accepted(startStep(id, { kind: "change", what: "notes.write", call: digest(1) }));
  await accepted(changeStatus(id, "finish", ""));
  expect(await refused(changeStatus(id, "accept", ""))).toBe("a step of the task has not ended");
  await accepted(endStep(id, step, { state: "done", result: Buffer.from("ok") }));
  await accepted(changeStatus(id, "accept", ""));
});

test("a step can end only once, and can end after its task was cancelled", async () => {
  const id = await submitted();
  const step = await accepted(startStep(id, { kind: "read", what: "notes.read", call: digest(1) }));
  await accepted(changeStatus(id, "cancel", "alice cancelled it"));
  expect(await refused(startStep(id, { kind: "read", what: "notes.read", call: digest(1) }))).toBe(
    "the task is cancelled",
  );
  await accepted(endStep(id, step, { state: "failed", result: Buffer.from("cancelled") }));
  const again = endStep(id, step, { state: "done", result: new Uint8Array() });
  expect(await refused(again)).toBe("step 1 is failed");
  expect(await refused(endStep(id, 2n, { state: "done", result: new Uint8Array() }))).toBe("there is no step 2");
});

test("after a crash, a change with an intent becomes `unknown`, and blocks its task until a person says what happened", async () => {
  const id = await submitted();
  await accepted(startStep(id, { kind: "change", what: "notes.write", call: digest(1) }));
  ledger = begin();
  const next = startStep(id, { kind: "read", what: "notes.read", call: digest(2) });
  expect(await refused(next)).toBe("step 1 of an earlier run is not settled");
  expect(await accepted(reconcileStep(id, 1n, "unknown"))).toMatchObject({ state: "unknown" });
  expect(taskOf(id)).toMatchObject({ status: "blocked", reason: "step 1 (notes.write) may have run" });
  expect(await refused(takeUpTask(id, digest(8)))).toBe("step 1 may have run: state first whether it did");
  const statement = { state: "done" as const, by: "", note: "the file is there" };
  expect(await refused(resolveStep(id, 1n, statement))).toBe("only a person can state what happened");
  await accepted(resolveStep(id, 1n, { ...statement, by: "alice" }));
  await accepted(takeUpTask(id, digest(8)));
  expect(taskOf(id)).toMatchObject({ status: "open", policy: digest(8) });
  expect(await accepted(next)).toBe(2n);
});

test.each([
  ["read", "unknown", "abandoned"],
  ["model", "unknown", "abandoned"],
  ["change", "notRun", "abandoned"],
  ["change", "ran", "unknown"],
] as const)("after a crash, a step of kind %s about which the log says %s becomes %s", async (kind, finding, state) => {
  const id = await submitted();
  await accepted(startStep(id, { kind, what: "tool", call: digest(1) }));
  expect(await refused(reconcileStep(id, 1n, finding))).toBe("step 1 was not interrupted");
  ledger = begin();
  expect(await accepted(reconcileStep(id, 1n, finding))).toMatchObject({ state });
  expect(await refused(reconcileStep(id, 1n, finding))).toBe("step 1 was not interrupted");
});

test("an approval needs its quorum of distinct principals, and each principal may answer once", async () => {
  const id = await submitted();
  const asked = await accepted(askApproval(question(id)));
  expect(taskOf(id).status).toBe("needsApproval");
  expect(await refused(answerApproval(asked, yes("mallory")))).toBe("mallory may not answer this approval");
  expect((await accepted(answerApproval(asked, yes("alice")))).state).toBe("pending");
  expect(await refused(answerApproval(asked, yes("alice")))).toBe("alice has answered already");
  expect((await accepted(answerApproval(asked, yes("bob")))).state).toBe("approved");
  expect(await refused(answerApproval(asked, no("carol")))).toBe("the approval is approved");
  expect(taskOf(id).status).toBe("open");
});

test("of two answers in the same turn of the event loop, the first decides", async () => {
  const id = await submitted();
  const asked = await accepted(askApproval(question(id, { quorum: 1 })));
  const answers = [ledger.decide(answerApproval(asked, no("alice"))), ledger.decide(answerApproval(asked, yes("bob")))];
  world.turn();
  expect(await Promise.all(answers)).toMatchObject([
    { ok: true, value: { state: "denied" } },
    { ok: false, reason: "the approval is denied: alice denied it" },
  ]);
});

test("an approval that nobody answers until its deadline is denied, and its task continues", async () => {
  const id = await submitted();
  const asked = await accepted(askApproval(question(id)));
  world.time += DAY / 2;
  expect(await refused(answerApproval(asked, yes("alice")))).toBe("the deadline of the approval has passed");
  const expiring = ledger.expire();
  world.turn();
  await Promise.resolve();
  world.turn();
  expect(await expiring).toEqual({ ok: true, value: 1 });
  expect([approvalOf(asked).state, taskOf(id).status]).toEqual(["denied", "open"]);
});

test("an approved call starts only once, and the start returns the people's answers", async () => {
  const id = await submitted();
  const asked = await accepted(askApproval(question(id, { quorum: 1 })));
  expect(await refused(startApprovedStep(id, start(asked)))).toBe("the approval is pending");
  await accepted(answerApproval(asked, yes("bob")));
  const other = await submitted();
  expect(await refused(startApprovedStep(other, start(asked)))).toBe("the task has no such approval");
  const answers = [{ approval: asked, ...yes("bob"), at: BigInt(world.time) }];
  expect(await accepted(startApprovedStep(id, start(asked)))).toEqual({ number: 1n, answers });
  expect(await refused(startApprovedStep(id, start(asked)))).toBe("the approval is used");
});

test.each([
  ["another call", { call: digest(2) }, "it was given for another call"],
  ["other tables", { policy: digest(8) }, "the policy tables have changed"],
  ["another label", { label: Buffer.from("secret") }, "the label of the task has changed"],
])("an approval is void, and nothing starts, if the call is decided anew with %s", async (_, differences, voided) => {
  const id = await submitted();
  const asked = await accepted(askApproval(question(id, { quorum: 1 })));
  await accepted(answerApproval(asked, yes("bob")));
  expect(await accepted(startApprovedStep(id, start(asked, differences)))).toEqual({ voided });
  const last = storage.transact((rows) => rows.findLastStepNumber(id));
  expect([approvalOf(asked).state, last]).toEqual(["void", { ok: true, value: 0n }]);
});

test("if a crash prevented an approved call, its approval can be used again; if the call may have run, its approval stays used", async () => {
  const id = await submitted();
  const asked = await accepted(askApproval(question(id, { quorum: 1 })));
  await accepted(answerApproval(asked, yes("bob")));
  await accepted(startApprovedStep(id, start(asked)));
  ledger = begin();
  await accepted(reconcileStep(id, 1n, "notRun"));
  expect(approvalOf(asked)).toMatchObject({ state: "approved", step: 0n });
  expect(await accepted(startApprovedStep(id, start(asked)))).toMatchObject({ number: 2n });
  ledger = begin();
  await accepted(reconcileStep(id, 2n, "unknown"));
  expect(approvalOf(asked)).toMatchObject({ state: "used", step: 2n });
});

test("a task that ends makes its approvals void", async () => {
  const id = await submitted();
  const [pending, approved] = [
    await accepted(askApproval(question(id))),
    await accepted(askApproval(question(id, { quorum: 1 }))),
  ];
  await accepted(answerApproval(approved, yes("bob")));
  await accepted(changeStatus(id, "cancel", "a reason"));
  expect([approvalOf(pending).state, approvalOf(approved).state]).toEqual(["void", "void"]);
  expect(await refused(answerApproval(pending, yes("alice")))).toBe("the approval is void: the task is cancelled");
});

test("a blocked task keeps its approvals and accepts answers; after a person continues it, it waits for missing answers", async () => {
  const id = await submitted();
  const [first, second] = [
    await accepted(askApproval(question(id, { quorum: 1 }))),
    await accepted(askApproval(question(id, { quorum: 1, call: digest(2) }))),
  ];
  await accepted(changeStatus(id, "block", "alice logged out"));
  await accepted(answerApproval(first, yes("alice")));
  expect([approvalOf(first).state, taskOf(id).status]).toEqual(["approved", "blocked"]);
  await accepted(takeUpTask(id, digest(7)));
  expect(taskOf(id).status).toBe("needsApproval");
  await accepted(answerApproval(second, no("bob")));
  expect(taskOf(id).status).toBe("open");
  expect(await accepted(startApprovedStep(id, start(first)))).toMatchObject({ number: 1n });
});

test("a long description of an event is cut, but the approval that it describes stays complete", async () => {
  const id = await submitted();
  const askedOf = Array.from({ length: 16 }, (_, index) => String(index).padStart(250, "x"));
  const asked = await accepted(askApproval(question(id, { askedOf })));
  const events = storage.transact((rows) => rows.listEvents("operator", 0n, 100));
  const lengths = events.ok ? events.value.map(({ body }) => body.length) : [];
  expect([Math.max(...lengths), approvalOf(asked).askedOf]).toEqual([2048, askedOf]);
});

test("an approval whose resource changed is void, and its task continues", async () => {
  const id = await submitted();
  const asked = await accepted(askApproval(question(id)));
  await accepted(voidApproval(asked, "the file has another version"));
  expect([approvalOf(asked).reason, taskOf(id).status]).toEqual(["the file has another version", "open"]);
  expect(await refused(voidApproval(asked, "again"))).toBe("the approval is void: the file has another version");
});

test.each([
  ["no quorum", { quorum: 0 }, "0 of 3 principals cannot approve"],
  ["a quorum above the principals", { quorum: 4 }, "4 of 3 principals cannot approve"],
  ["a broken quorum", { quorum: 1.5 }, "1.5 of 3 principals cannot approve"],
  ["a principal twice", { askedOf: ["alice", "alice"] }, "a principal is named twice"],
  ["no principals", { askedOf: [], quorum: 1 }, "1 of 0 principals cannot approve"],
  ["large arguments", { arguments: new Uint8Array(64 * 1024 + 1) }, "arguments has 65537 bytes"],
  ["a passed deadline", { deadline: BigInt(BEGIN) }, "the deadline of the approval has passed"],
  ["a short digest", { call: new Uint8Array(5) }, "call has 5 bytes, not 32"],
])("refuses to ask for approval with %s", async (_, differences, reason) => {
  const id = await submitted();
  expect(await refused(askApproval(question(id, differences)))).toContain(reason);
});

test("the runs of a schedule submit their tasks once; a second submission of the same runs is refused", async () => {
  const from = await accepted(beginSchedule("nightly"));
  expect(from).toBe(BigInt(BEGIN));
  world.time += DAY;
  const through = BigInt(world.time);
  const runs = { name: "nightly", from, through, count: 2, submission: submission({ deadline: through + 1n }) };
  expect(await accepted(submitRuns(runs))).toMatchObject([{ number: 1n }, { number: 2n }]);
  expect(await refused(submitRuns(runs))).toBe(`the schedule is handled up to ${through}, not ${from}`);
  expect(await accepted(beginSchedule("nightly"))).toBe(through);
  const early = { ...runs, from: through, through: through + 1n };
  expect(await refused(submitRuns(early))).toBe("the runs are not due");
  const excess = { ...runs, from: through, submission: submission({ name: "n".repeat(300) }) };
  expect(await refused(submitRuns(excess))).toContain("name has 300 bytes");
});

test("tasks expire at their deadline, also while they wait for people", async () => {
  const [open, waiting] = [await submitted(), await submitted()];
  const asked = await accepted(askApproval(question(waiting, { deadline: BigInt(BEGIN + 2 * DAY) })));
  world.time += DAY;
  const expiring = ledger.expire();
  world.turn();
  await Promise.resolve();
  world.turn();
  expect(await expiring).toEqual({ ok: true, value: 2 });
  expect([taskOf(open), taskOf(waiting)]).toMatchObject([{ status: "expired" }, { status: "expired" }]);
  expect(approvalOf(asked).state).toBe("void");
});

test("messages are added in order, and equal content is stored once", async () => {
  const id = await submitted();
  const message = { digest: digest(1), bytes: Uint8Array.of(1) };
  expect(await accepted(appendMessages(id, 0n, [message, message]))).toBe(2n);
  expect(await refused(appendMessages(id, 0n, [message]))).toBe("the history has 2 messages, not 0");
  const many = Array.from({ length: 65 }, () => message);
  expect(await refused(appendMessages(id, 2n, many))).toBe("64 messages at a time are the maximum");
  const large = { digest: digest(2), bytes: new Uint8Array(256 * 1024 + 1) };
  expect(await refused(appendMessages(id, 2n, [message, large]))).toContain("message has 262145 bytes");
});

test("an ended task can be archived or purged; any other task must be cancelled first", async () => {
  const id = await submitted();
  expect(await refused(closeTask(id, "purge"))).toBe("the task is open; cancel it first");
  await accepted(describeTask(id, { objective: "make the tests pass", label: Buffer.from("secret") }));
  await accepted(changeStatus(id, "cancel", ""));
  expect(await refused(describeTask(id, { objective: "", label: new Uint8Array() }))).toBe("the task is cancelled");
  await accepted(closeTask(id, "archive"));
  expect(taskOf(id)).toMatchObject({ isArchived: true, objective: "make the tests pass" });
  await accepted(closeTask(id, "purge"));
  expect(await refused(closeTask(id, "purge"))).toBe("there is no such task");
  const left = [{ sequence: 4n, kind: "purged", body: "task 1 was removed" }];
  expect(contents()).toMatchObject({
    ok: true,
    value: [
      [[], [], left],
      [[], [], []],
    ],
  });
  expect(await accepted(submitTask(submission()))).toEqual({ id: 2n, number: 2n });
});
