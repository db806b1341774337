// A ledger in memory, with connections to it and a clock that the test moves.

import { duplexPair } from "node:stream";
import { TaskDesk } from "../../../lib/wire/generated/ledger.ts";
import { type Connection, connect } from "../../../lib/wire/index.ts";
import { Assignments } from "../../ledger/assignments.ts";
import { openInMemory } from "../../ledger/database.ts";
import { Ledger } from "../../ledger/ledger.ts";
import { serveLedger } from "../../ledger/serve.ts";
import { SqliteStorage } from "../../ledger/sqlite-storage.ts";
import { submitTask } from "../../ledger/tasks.ts";

/** Begin of the clock: a time at which a timer of full ten minutes has just run. */
const BEGIN = Date.UTC(2027, 0, 1, 0, 0, 1);

/** Task of the ingress `nightly`, without session and deadline. */
export const NIGHTLY = {
  name: "nightly",
  request: "Sum up.",
  requester: "",
  ingress: "nightly",
  policy: new Uint8Array(32),
  label: Buffer.from("public/untrusted"),
  model: "",
  harness: "1",
} as const;

export interface TestLedger {
  readonly hold: (holder: string, interfaceId: bigint) => Connection;
  readonly advance: (ms: number) => void;
  /** Tasks of the session `operator`, the newest first. */
  readonly listTasks: () => Promise<readonly TestTask[]>;
  /** Submits a task of the ingress `nightly`, and returns its id. */
  readonly submit: () => Promise<readonly bigint[]>;
  /** Texts of a task's history. */
  readonly readHistory: (task: bigint) => Promise<readonly string[]>;
  readonly cancel: (number: bigint) => Promise<void>;
  /** Begins another run of the ledger on the same file. */
  readonly reopen: () => TestLedger;
  /** Closes all connections. */
  readonly cut: () => void;
  readonly close: () => void;
}

interface TestTask {
  readonly number: bigint;
  readonly status: string;
  readonly reason: string;
  readonly objective: string;
  readonly request: string;
  readonly requester: string;
  readonly ingress: string;
  readonly label: string;
  readonly messages: bigint;
}

export function createTestLedger(): TestLedger {
  return begin(new SqliteStorage(openInMemory()), { time: BEGIN });
}

function begin(storage: SqliteStorage, clock: { time: number }): TestLedger {
  const world = {
    now: () => clock.time,
    random: (bytes: number) => new Uint8Array(bytes).fill(1),
    later: setImmediate,
  };
  const begun = Ledger.begin(storage, world);
  if (!begun.ok) throw new Error(begun.reason);
  const ledger = begun.value;
  const assignments = new Assignments();
  const held: Connection[] = [];
  const hold = (holder: string, interfaceId: bigint): Connection => {
    const [mine, theirs] = duplexPair();
    if (serveLedger({ stream: theirs, holder, interfaceId, mayRead: () => true }, ledger, assignments) === undefined)
      throw new Error(`${holder} is not served`);
    const connection = connect(mine);
    held.push(connection);
    return connection;
  };
  const desk = hold("gate.operator", TaskDesk.id);
  return {
    hold,
    advance: (ms) => {
      clock.time += ms;
    },
    listTasks: async () => {
      const listed = await desk.call(TaskDesk.methods.list, { before: 0n, most: 64 });
      if (!listed.ok) throw new Error(listed.reason);
      return listed.value.tasks.map(({ number, status, reason, objective, messages, submission }) => {
        const { request, requester, ingress } = submission;
        const label = Buffer.from(submission.label).toString();
        return { number, status, reason, objective, messages, request, requester, ingress, label };
      });
    },
    submit: async () => {
      const deadline = BigInt(clock.time + 86_400_000);
      const submitted = await ledger.decide(submitTask({ ...NIGHTLY, session: "operator", deadline }));
      if (!submitted.ok) throw new Error(submitted.reason);
      return [submitted.value.id];
    },
    readHistory: async (task) => {
      const read = await ledger.decide(({ rows }) => ({ ok: true, value: rows.listMessages(task, 0n, 1 << 20) }));
      if (!read.ok) throw new Error(read.reason);
      return read.value.map(({ bytes }) => Buffer.from(bytes).toString());
    },
    cancel: async (number) => {
      const cancelled = await desk.call(TaskDesk.methods.cancel, { number, reason: "not needed" });
      if (!cancelled.ok) throw new Error(cancelled.reason);
    },
    reopen: () => begin(storage, clock),
    cut: () => {
      for (const connection of held) connection.close();
    },
    close: () => ledger.close(),
  };
}
