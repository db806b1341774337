// Tests the work of a gate without a person, with the real broker, the real store of conversations and the real ledger.
import { expect, test } from "vitest";
import { formatLabel } from "../../lib/policy/index.ts";
import { always, answered, PUBLIC, row, tool } from "../../lib/policy/testing/sample.ts";
import { TaskHost, TaskRecord } from "../../lib/wire/generated/ledger.ts";
import type { PolicyTables } from "../../lib/wire/generated/policy.ts";
import { createTestLedger, type TestLedger } from "../host/testing/ledger.ts";
import { never } from "./testing/calls.ts";
import { Machine, type Run } from "./testing/machine.ts";
import { createAbsentPerson, MAX_SAID_BYTES, Work } from "./work.ts";

const SEEN = { ...PUBLIC, confidentiality: 1 };
const GATE = "gate.operator.nightly";
const MESSAGE = "Sum up.";

/** Returns a page with a timer, on which reads run without a question and writes need consent. */
function page(changes: Partial<PolicyTables> = {}): PolicyTables {
  return answered({
    tools: [
      tool("notes.read", { readOnly: true, result: { low: PUBLIC, high: SEEN } }),
      tool("notes.write", { method: 1 }),
    ],
    decisions: [
      { clauses: [always("auto")], floors: [] },
      { clauses: [always("consent")], floors: [] },
    ],
    rows: [row("operator", [2, 3])],
    ingresses: [
      {
        name: "nightly",
        source: "timer",
        address: "0 3 * * *",
        row: 0,
        label: { ...PUBLIC, integrity: 0 },
        zone: "UTC",
        missed: "once",
        says: MESSAGE,
      },
    ],
    ...changes,
  });
}

interface Rig {
  readonly run: Run;
  readonly work: Work;
  readonly ledger: TestLedger;
  /** Submits a task of the timer, and assigns it to the worker. */
  readonly assign: () => Promise<bigint>;
}

function openRig(tables: PolicyTables = page()): Rig {
  const run = new Machine().start(tables, "operator", "nightly");
  const ledger = createTestLedger();
  const host = ledger.hold("host", TaskHost.id);
  const { archive, gate } = run.parts;
  if (archive === undefined) throw new Error("there is no archive");
  const record = ledger.hold(GATE, TaskRecord.id);
  return {
    run,
    ledger,
    work: new Work({ gate, archive, record, message: MESSAGE }),
    assign: async () => {
      const [number] = await ledger.submit();
      if (number === undefined) throw new Error("nothing was submitted");
      const assigned = await host.call(TaskHost.methods.assign, { worker: GATE, task: number });
      if (!assigned.ok) throw new Error(assigned.reason);
      return number;
    },
  };
}

const labelOf = ({ gate }: Run) => formatLabel(gate.parts.tables.lattice, gate.conversation.label);

/** Proposes a call as the loop does. */
async function propose({ gate }: Run, name: string) {
  const { conversation } = gate.place;
  const offer = await gate.offering.describe(conversation);
  if (!offer.ok) throw new Error(offer.reason);
  const { turn, snapshot } = offer.value;
  const call = { id: "1", name, arguments: '{"path":"a"}' };
  return gate.loopCalls.invoke({ conversation, turn, snapshot, call }, never);
}

test("a task begins in a conversation of its own, with a new loop, at the label of its ingress", async () => {
  const { run, work, ledger, assign } = openRig();
  await assign();
  expect(await work.begin()).toEqual({ ok: true, value: MESSAGE });
  expect(run.restarted).toEqual(["loop.operator.nightly"]);
  expect([labelOf(run), run.gate.conversation.unattended]).toEqual(["public/untrusted", true]);
  const first = run.gate.place.conversation;
  expect(await ledger.listTasks()).toMatchObject([{ status: "open", objective: MESSAGE, label: "public/untrusted" }]);
  await work.finish("", "");
  await assign();
  await work.begin();
  expect(run.gate.place.conversation).not.toBe(first);
});

test("calls of the loop are decided as if nobody is present, and the ledger has the label of what was read", async () => {
  const { run, work, ledger, assign } = openRig();
  await assign();
  await work.begin();
  expect(await propose(run, "notes.read")).toMatchObject({ outcome: "ok" });
  const written = await propose(run, "notes.write");
  expect([written.outcome, run.questions]).toEqual(["refusedByPolicy", []]);
  expect(await work.finish("All is well.", "")).toEqual({ ok: true, value: "reviewing" });
  expect(await ledger.listTasks()).toMatchObject([{ status: "reviewing", label: "internal/untrusted", messages: 1n }]);
  expect(await ledger.readHistory(1n)).toEqual(["All is well."]);
});

test("after the end of a task its loop can propose nothing", async () => {
  const { run, work, assign } = openRig();
  await assign();
  await work.begin();
  const offer = await run.gate.offering.describe(run.gate.place.conversation);
  await work.finish("", "");
  if (!offer.ok) throw new Error(offer.reason);
  const { turn, snapshot } = offer.value;
  const call = { id: "1", name: "notes.read", arguments: '{"path":"a"}' };
  const { conversation } = run.gate.place;
  const result = await run.gate.loopCalls.invoke({ conversation, turn, snapshot, call }, never);
  expect([result.outcome, run.machine.effects]).toEqual(["cancelled", []]);
});

test("a turn that did not end by itself fails the task", async () => {
  const { work, ledger, assign } = openRig();
  await assign();
  await work.begin();
  expect(await work.finish("Half of it", "the model stopped")).toEqual({ ok: true, value: "failed" });
  expect(await ledger.listTasks()).toMatchObject([{ status: "failed", reason: "the model stopped" }]);
});

test("long text of the loop is cut between two characters", async () => {
  const { work, ledger, assign } = openRig();
  await assign();
  await work.begin();
  await work.finish(`a${"é".repeat(MAX_SAID_BYTES)}`, "");
  const [said = ""] = await ledger.readHistory(1n);
  expect([Buffer.byteLength(said), said.at(-1)]).toEqual([MAX_SAID_BYTES - 1, "é"]);
});

test("without an assigned open task nothing begins, and two tasks are never under way", async () => {
  const { run, work, ledger, assign } = openRig();
  expect(await work.begin()).toEqual({ ok: false, reason: "the worker has no task" });
  expect(await work.finish("", "")).toEqual({ ok: false, reason: "the worker has begun no task" });
  await assign();
  await ledger.cancel(1n);
  expect(await work.begin()).toEqual({ ok: false, reason: "the task is cancelled" });
  await assign();
  await work.begin();
  const turn = run.gate.place.turn;
  const first = run.gate.place.conversation;
  await assign();
  expect(await work.begin()).toMatchObject({ ok: true });
  expect([run.gate.place.conversation === first, run.restarted.length, turn]).toEqual([false, 2, 1]);
});

test("a task that was cancelled meanwhile ends, and the worker takes the next one", async () => {
  const { work, ledger, assign } = openRig();
  await assign();
  await work.begin();
  await ledger.cancel(1n);
  expect(await work.finish("", "")).toEqual({ ok: false, reason: "the task is cancelled" });
  await assign();
  expect(await work.begin()).toMatchObject({ ok: true });
});

test("the worker of a session with a login needs none, and its calls have no principal", async () => {
  const principals = [{ name: "alice", keys: [], passphrase: "alice" }];
  const rows = [row("operator", [2, 3], { login: "passphrase", principals: [0] })];
  const { run, work, assign } = openRig(page({ principals, rows }));
  await assign();
  await work.begin();
  expect([run.gate.seat.isLocked, run.gate.seat.principal]).toEqual([false, ""]);
  expect(await propose(run, "notes.read")).toMatchObject({ outcome: "ok" });
});

test("no gate opens for an unknown ingress, or for one whose beginning a person must approve", () => {
  expect(() => new Machine().start(page(), "operator", "weekly")).toThrow("no desk");
  const gated = page({ rows: [row("operator", [2, 3], { entry: "consent" })] });
  expect(() => new Machine().start(gated, "operator", "nightly")).toThrow();
});

test("the absent person of a worker answers no question", async () => {
  const person = createAbsentPerson("ingress nightly");
  expect([await person.interrupted(), person.surface]).toEqual([false, "ingress nightly"]);
});
