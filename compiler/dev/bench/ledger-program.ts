// Measures how fast the ledger records steps of tasks: over one connection with one call at a time, and over eight such
// connections at once. A step is two calls, each acknowledged after a sync of the disk. Prints CPU microseconds as one
// line of JSON.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { connect as openSocket } from "node:net";
import { join } from "node:path";
import { TaskRecord } from "../../../engine/lib/wire/generated/ledger.ts";
import { type Connection, connect } from "../../../engine/lib/wire/index.ts";
import { readInPlace } from "../../../engine/lib/wire/reused-buffer.ts";
import { bug } from "../../../lang/diagnostics/index.ts";

/**
 * Number of steps that each connection records in the ledger of tasks in one round. A step is two calls, one at its
 * start and one at its end. The first round is not measured.
 */
const STEPS = 500;
const ROUNDS = 4;
const CONNECTIONS = 8;

const START = { kind: "read", what: "notes.read", call: new Uint8Array(32) } as const;
const RESULT = Buffer.alloc(200, "x");

const [, , server = "", scratch = ""] = process.argv;
const path = join(scratch, "ledger.sock");
const directory = join(scratch, "data");
mkdirSync(directory);

const ledger = fork(server, [directory, path], { execArgv: process.execArgv });
await once(ledger, "message");
const connections = Array.from({ length: CONNECTIONS }, () =>
  connect(readInPlace((onread) => openSocket({ path, onread }))),
);

interface Cost {
  /** CPU microseconds that the ledger uses for one call, which it acknowledges after the disk has stored the record. */
  readonly call: number;
  /** CPU microseconds that the ledger and its client use together for one step, which is two calls. */
  readonly step: number;
}

function readLedgerUsage(): Promise<NodeJS.CpuUsage> {
  return new Promise((answered) => {
    ledger.once("message", (usage: NodeJS.CpuUsage) => answered(usage));
    ledger.send("usage");
  });
}

async function recordSteps(connection: Connection): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    const started = await connection.call(TaskRecord.methods.startStep, { start: START });
    if (!started.ok) return bug(started.reason);
    const { number } = started.value;
    const ended = await connection.call(TaskRecord.methods.endStep, { number, failed: false, result: RESULT });
    if (!ended.ok) return bug(ended.reason);
  }
}

const sum = ({ user, system }: NodeJS.CpuUsage) => user + system;

/**
 * Returns the cost with `count` connections: the minimum of the rounds, because other programs only increase a
 * measurement.
 */
async function measureCost(count: number): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [own, theirs] = [process.cpuUsage(), await readLedgerUsage()];
    await Promise.all(connections.slice(0, count).map(recordSteps));
    const [client, server] = [sum(process.cpuUsage(own)), sum(await readLedgerUsage()) - sum(theirs)];
    const steps = STEPS * count;
    costs.push({ call: server / steps / 2, step: (server + client) / steps });
  }
  const measured = costs.slice(1);
  return {
    call: Math.min(...measured.map(({ call }) => call)),
    step: Math.min(...measured.map(({ step }) => step)),
  };
}

process.stdout.write(JSON.stringify({ one: await measureCost(1), eight: await measureCost(CONNECTIONS) }));
process.exit(0);
