import { duplexPair } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { TaskHost, TaskRecord, Worker as WorkerInterface } from "../../lib/wire/generated/ledger.ts";
import { Terminal } from "../../lib/wire/generated/wire.ts";
import { type Connection, connect, implement, makeFailure, serveInterface } from "../../lib/wire/index.ts";
import { Host, STOPPED } from "./host.ts";
import { serveLoop } from "./serve.ts";
import { createTestLedger, NIGHTLY, type TestLedger } from "./testing/ledger.ts";
import type { Timer } from "./timers.ts";
import { Worker } from "./worker.ts";

const MINUTE = 60_000;
const GATE = "gate.operator.nightly";

const TIMER: Timer = {
  name: "nightly",
  session: "operator",
  schedule: { expression: "*/10 * * * *", zone: "UTC" },
  missed: "once",
  submission: NIGHTLY,
};

let opened: TestLedger[] = [];
afterEach(() => {
  for (const ledger of opened) ledger.close();
  opened = [];
});

/** A worker's gate that asks the ledger as the real one does, and a loop that a test drives. */
interface Rig {
  readonly ledger: TestLedger;
  readonly host: Host;
  readonly worker: Worker;
  readonly log: string[];
  /** Starts a loop, as init does at each task. Returns its terminal. */
  readonly startLoop: () => Connection;
  /** Why the gate refuses to begin; empty if it does not. */
  refusal: string;
}

function openRig(ledger: TestLedger = createTestLedger()): Rig {
  if (!opened.includes(ledger)) opened.push(ledger);
  const record = ledger.hold(GATE, TaskRecord.id);
  const log: string[] = [];
  const [mine, theirs] = duplexPair();
  const worker = new Worker(GATE, connect(mine));
  const rig: Rig = {
    ledger,
    worker,
    log,
    refusal: "",
    host: new Host({
      ledger: ledger.hold("host", TaskHost.id),
      timers: [TIMER],
      workers: new Map([["nightly", worker]]),
      world: { wait: async () => {}, log: (line) => void log.push(line) },
    }),
    startLoop: () => {
      const [loop, host] = duplexPair();
      serveLoop(host, worker);
      return connect(loop);
    },
  };
  serveInterface(theirs, [
    implement(WorkerInterface, {
      begin: async () => {
        if (rig.refusal !== "") return makeFailure("failed", rig.refusal);
        const label = Buffer.from("public/untrusted");
        const described = await record.call(TaskRecord.methods.describe, { objective: "Sum up.", label });
        return described.ok ? { message: "Sum up." } : makeFailure("failed", described.reason);
      },
      finish: async ({ said, fault }) => {
        const messages = [{ digest: new Uint8Array(32), bytes: Buffer.from(said) }];
        await record.call(TaskRecord.methods.append, { from: 0n, messages });
        const ended =
          fault === ""
            ? await record.call(TaskRecord.methods.finish, {})
            : await record.call(TaskRecord.methods.stop, { cause: "fail", reason: fault });
        return ended.ok ? { status: fault === "" ? "reviewing" : "failed" } : makeFailure("failed", ended.reason);
      },
    }),
  ]);
  return rig;
}

const readLine = (loop: Connection) => loop.call(Terminal.methods.readLine, {});
const write = (loop: Connection, text: string, speaker: "model" | "runner" = "model") =>
  loop.call(Terminal.methods.write, { text, speaker });

/** Resolves with the tasks of the session once each of them has this status. */
async function waitForStatuses({ ledger }: Rig, ...statuses: readonly string[]) {
  await expect.poll(async () => (await ledger.listTasks()).map(({ status }) => status)).toEqual(statuses);
  return ledger.listTasks();
}

/** Begins the schedule, and moves the clock to its first run. */
async function reachRun(rig: Rig): Promise<void> {
  await rig.host.beat();
  rig.ledger.advance(10 * MINUTE);
  await rig.host.beat();
}

test("at the time of a timer its worker gets the message, and the task is done with what the agent wrote", async () => {
  const rig = openRig();
  await rig.host.beat();
  expect(await rig.ledger.listTasks()).toEqual([]);
  rig.ledger.advance(10 * MINUTE);
  const loop = rig.startLoop();
  const line = readLine(loop);
  await rig.host.beat();
  expect(await line).toMatchObject({ ok: true, value: { line: "Sum up.", end: false } });
  await write(loop, "All ");
  await write(loop, "is well.");
  void readLine(loop);
  const [task] = await waitForStatuses(rig, "done");
  expect(task).toMatchObject({ ingress: "nightly", requester: "", messages: 1n, request: "Sum up." });
  expect(await rig.ledger.readHistory(1n)).toEqual(["All is well."]);
  // The ledger has noted that this run of the timer is handled. So a further beat at the same time submits no second
  // task.
  await rig.host.beat();
  expect(await rig.ledger.listTasks()).toHaveLength(1);
});

test("a loop that the gate starts anew gets the message, and not the loop before it", async () => {
  const rig = openRig();
  const old = rig.startLoop();
  const unanswered = readLine(old);
  await reachRun(rig);
  expect(await unanswered).toMatchObject({ ok: true });
  const young = rig.startLoop();
  const none = readLine(young);
  old.close();
  await waitForStatuses(rig, "failed");
  rig.ledger.advance(10 * MINUTE);
  await rig.host.beat();
  expect(await none).toMatchObject({ ok: true, value: { line: "Sum up." } });
});

test("only text of the loop that read the message is kept", async () => {
  const rig = openRig();
  const loop = rig.startLoop();
  const line = readLine(loop);
  await reachRun(rig);
  await line;
  const other = rig.startLoop();
  await write(other, "I was never asked.");
  await write(other, "stopped\n", "runner");
  await write(loop, "All is well.");
  void readLine(loop);
  await waitForStatuses(rig, "done");
  expect(await rig.ledger.readHistory(1n)).toEqual(["All is well."]);
});

test("a turn that did not end by itself fails the task with the reason of the loop", async () => {
  const rig = openRig();
  const loop = rig.startLoop();
  const line = readLine(loop);
  await reachRun(rig);
  await line;
  await write(loop, "stopped after 16 rounds\n", "runner");
  void readLine(loop);
  const [task] = await waitForStatuses(rig, "failed");
  expect(task?.reason).toBe("stopped after 16 rounds");
});

test("a loop that dies fails the task", async () => {
  const rig = openRig();
  const loop = rig.startLoop();
  const line = readLine(loop);
  await reachRun(rig);
  await line;
  loop.close();
  const [task] = await waitForStatuses(rig, "failed");
  expect(task?.reason).toBe("the agent of the worker ended");
});

test("a task that its gate cannot begin is blocked with the reason, and the next task is begun", async () => {
  const rig = openRig();
  rig.refusal = "the agent could not be started again";
  await reachRun(rig);
  const [task] = await waitForStatuses(rig, "blocked");
  expect(task?.reason).toBe("the agent could not be started again");
  rig.refusal = "";
  const line = readLine(rig.startLoop());
  rig.ledger.advance(10 * MINUTE);
  await rig.host.beat();
  expect(await line).toMatchObject({ ok: true });
});

test("tasks of one ingress run one after the other, the oldest first", async () => {
  const rig = openRig();
  const loop = rig.startLoop();
  await reachRun(rig);
  rig.ledger.advance(10 * MINUTE);
  await rig.host.beat();
  await readLine(loop);
  await rig.host.beat();
  expect((await rig.ledger.listTasks()).map(({ number, objective }) => [number, objective])).toEqual([
    [2n, ""],
    [1n, "Sum up."],
  ]);
  const second = readLine(loop);
  await waitForStatuses(rig, "open", "done");
  await rig.host.beat();
  expect(await second).toMatchObject({ ok: true });
});

test("a task that had begun when the machine stopped is blocked at the next start, and one that waited is begun", async () => {
  const rig = openRig();
  const loop = rig.startLoop();
  await reachRun(rig);
  await readLine(loop);
  rig.ledger.advance(10 * MINUTE);
  await rig.host.beat();
  const again = openRig(rig.ledger.reopen());
  await again.host.beat();
  const line = readLine(again.startLoop());
  expect(await line).toMatchObject({ ok: true, value: { line: "Sum up." } });
  const tasks = await again.ledger.listTasks();
  expect(tasks.map(({ status, reason }) => [status, reason])).toEqual([
    ["open", ""],
    ["blocked", STOPPED],
  ]);
});

test("a person's cancellation interrupts the turn", async () => {
  const rig = openRig();
  const loop = rig.startLoop();
  const line = readLine(loop);
  await reachRun(rig);
  await line;
  const interrupted = loop.call(Terminal.methods.awaitInterrupt, {});
  await rig.ledger.cancel(1n);
  await rig.host.beat();
  expect(await interrupted).toMatchObject({ ok: true });
});

test("without a ledger the host submits nothing, and complains once", async () => {
  const rig = openRig();
  rig.ledger.cut();
  await rig.host.beat();
  await rig.host.beat();
  expect(rig.log).toHaveLength(1);
});
