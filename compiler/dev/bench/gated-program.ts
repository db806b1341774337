// Measures the time that the gate adds to a call without a prompt. The loop calls the gate, which decides, charges and
// records the call, and calls the service. The program compares such calls with direct calls of the service. Gate,
// broker, audit and service are the real code, each behind a socket. All four run in one process, so that its CPU time
// includes all of them. Two tools have the same method. The page declares one of them read-only. For the other tool,
// the gate records the intent before it sends the call. The program prints milliseconds and counts as one line of JSON.

import { createHash, randomBytes } from "node:crypto";
import { constants, ftruncateSync, openSync } from "node:fs";
import { createServer, type Socket, connect as toSocket } from "node:net";
import { join } from "node:path";
import { readTables } from "../../../engine/lib/policy/index.ts";
import { type Backend, PolicyTables, type Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { Echo } from "../../../engine/lib/wire/generated/tools.ts";
import { Approval, Metering, Supervisor, ToolProxy } from "../../../engine/lib/wire/generated/wire.ts";
import {
  type Connection,
  connect,
  encodeMessage,
  type Implementation,
  implement,
  serve,
  serveInterface,
} from "../../../engine/lib/wire/index.ts";
import { readAnew, readInPlace } from "../../../engine/lib/wire/reused-buffer.ts";
import { openLog } from "../../../engine/processes/audit/audit.ts";
import { openDevice } from "../../../engine/processes/audit/device.ts";
import { serveAudit } from "../../../engine/processes/audit/serve.ts";
import { openDesks } from "../../../engine/processes/broker/broker.ts";
import { serveGate as serveDesk } from "../../../engine/processes/broker/serve.ts";
import { makeBufferedRandom } from "../../../engine/processes/broker/world.ts";
import { Gate } from "../../../engine/processes/gate/gate.ts";
import { Models } from "../../../engine/processes/gate/models.ts";
import { Parking } from "../../../engine/processes/gate/parking.ts";
import { connectPerson, serveGate } from "../../../engine/processes/gate/serve.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { createRow, createTablesOfRules } from "./large-tables.ts";

/** Number of calls in one turn. It is less than the maximum number of proposals of one turn. */
const CALLS_PER_TURN = 100;
const TURNS = 12;
const LOG_BYTES = 64 * 1024 * 1024;
const BOOT_ID = "00112233445566778899aabbccddeeff";
const LABEL = { confidentiality: 0, integrity: 0, compartments: 0n };
const ARGUMENTS = '{"text":"a line of text, such as a model writes"}';
const USAGE = { promptTokens: 0, outputTokens: 0 };

const ECHO: Tool = {
  name: "echo.echo",
  description: "says it again",
  interfaceId: Echo.id,
  interfaceName: "Echo",
  method: Echo.methods.echo.ordinal,
  methodName: "echo",
  category: 0,
  readOnly: true,
  provider: "echo",
  paramSchema: "{}",
  params: [{ name: "text", type: { which: "text", text: { maxBytes: 1024 } }, required: true }],
  result: { low: LABEL, high: LABEL },
  sink: LABEL,
  networked: false,
  redact: [],
  truncateBytes: 0,
  pageProgram: false,
  strong: [],
  layout: { dataWords: 0, pointers: 0, places: [] },
  servers: [],
  methodDenied: false,
};
/**
 * The method `echo` again, but in a category that changes state, so that the two tools differ only in the work of the
 * gate.
 */
const WRITE: Tool = { ...ECHO, name: "echo.write", category: 1, readOnly: false };
const CANNED: Backend = {
  name: "canned",
  kind: "stub",
  clearance: LABEL,
  local: true,
  quotas: [],
  logRequired: false,
  currency: "",
  contextTokens: 0,
  inputMicros: 0n,
  outputMicros: 0n,
  embedder: "",
};
/** A page like most pages: one session with one quota, which is never used up. */
const PAGE = encodeMessage(PolicyTables, {
  ...createTablesOfRules(1),
  schemaVersion: 2,
  systemId: "bench",
  version: "1.0.0",
  lattice: { confidentiality: ["public"], integrity: ["untrusted"], compartments: [] },
  categories: [
    { name: "readOnly", parent: 65_535 },
    { name: "mutatingLocal", parent: 65_535 },
  ],
  tools: [ECHO, WRITE],
  decisions: [{ clauses: [{ conditions: [], met: "auto", otherwise: "auto", rule: 0, group: 0 }], floors: [] }],
  rows: [
    {
      ...createRow("operator", [2, 2]),
      backends: [{ backend: 0, mode: "auto" }],
      quotas: [{ amount: 1_000_000n, unit: "calls", name: "", scope: "turn", rule: 0 }],
    },
  ],
  backends: [CANNED],
});

const [, , scratch = ""] = process.argv;
let sockets = 0;

/** Returns both ends of a kernel socket. Each end is read like a granted connection. */
async function openSocketPair(): Promise<readonly [Socket, Connection]> {
  sockets += 1;
  const path = join(scratch, `${sockets}.sock`);
  const { promise, resolve } = Promise.withResolvers<Socket>();
  const server = createServer(resolve).listen(path);
  const mine = readInPlace((onread) => toSocket({ path, onread }));
  const held = connect(mine);
  const theirs = readAnew(await promise);
  server.close();
  return [theirs, held];
}

async function serveAndConnect(serveOn: (stream: Socket) => unknown): Promise<Connection> {
  const [theirs, held] = await openSocketPair();
  serveOn(theirs);
  return held;
}

const held = (implementation: Implementation) => serveAndConnect((stream) => serveInterface(stream, [implementation]));
const refuseCall = (): never => bug("this is not asked for");

/** Syncs are counted here but not executed, because their cost depends on the disk. */
let syncs = 0;
async function startAudit(policyDigest: Uint8Array): Promise<Connection> {
  const file = openSync(join(scratch, "log"), constants.O_RDWR | constants.O_CREAT, 0o600);
  ftruncateSync(file, LOG_BYTES);
  const time = () => ({
    monotonicMs: process.hrtime.bigint() / 1_000_000n,
    wallMs: BigInt(Date.now()),
    wallSource: "rtc",
  });
  const boot = {
    systemId: "bench",
    version: "1.0.0",
    bootId: Buffer.from(BOOT_ID, "hex"),
    policyDigest,
    writer: "audit",
    time,
  };
  const sync = async () => {
    syncs += 1;
  };
  const log = await openLog(boot, { ...openDevice(file), sync });
  if (log.store === undefined) return bug(log.reason);
  return serveAndConnect((stream) => serveAudit({ stream, holder: "gate.operator" }, log));
}

async function serveBroker(): Promise<Connection> {
  const random = makeBufferedRandom(randomBytes);
  const world = { now: () => Number(process.hrtime.bigint() / 1_000_000n), wall: Date.now, random };
  const desks = openDesks(PAGE, BOOT_ID, world, undefined);
  const desk = desks.ok ? desks.value.get("operator") : undefined;
  return desk === undefined ? bug("there is no desk") : serveAndConnect((stream) => serveDesk(stream, desk));
}

async function createGate(echo: Connection): Promise<Gate> {
  const tables = readTables(PAGE);
  if (!tables.ok) return bug(tables.reason);
  const policyDigest = createHash("sha256").update(PAGE).digest();
  // In the image the console is native code that handles a notice in almost no time; here each notice gets an answer at
  // once.
  const drawn = { ok: true, payload: { which: "empty" } } as const;
  const console = await serveAndConnect((stream) => serve(stream, [Approval.id], async () => drawn));
  const meter = await held(
    implement(Metering, {
      allow: async () => ({}),
      asked: async () => ({ most: USAGE }),
      ended: async () => ({ usage: USAGE, messages: [], masked: [] }),
      noted: async () => ({}),
      withdraw: async () => ({}),
    }),
  );
  const neighbours = {
    person: connectPerson("console", console),
    broker: await serveBroker(),
    audit: await startAudit(policyDigest),
  };
  const parts = {
    tables: tables.value,
    policyDigest,
    session: "operator",
    ...neighbours,
    parking: new Parking(() => 0),
  };
  const models = new Models({ ...parts, models: new Map([["canned", { id: "stub", meter }]]) });
  const gate = Gate.open({ ...parts, models, providers: new Map([["echo", echo]]) });
  return gate ?? bug("there is no session");
}

const echo = await serveAndConnect((stream) =>
  serve(stream, [Echo.id], async ({ payload }) => ({ ok: true, payload })),
);
const gate = await createGate(echo);
const supervisor = await held(
  implement(Supervisor, {
    revoke: refuseCall,
    stop: refuseCall,
    facts: refuseCall,
    readLog: refuseCall,
    readNotices: refuseCall,
    restart: refuseCall,
  }),
);
const proxy = await serveAndConnect((stream) => serveGate(stream, ToolProxy.id, { gate, held: new Map(), supervisor }));

/** Repeats `work`, and returns the mean CPU milliseconds of one repetition. */
async function measureSpent(work: (time: number) => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < CALLS_PER_TURN; time += 1) await work(time);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / CALLS_PER_TURN;
}

async function callBare(): Promise<void> {
  const reply = await echo.callTool(Echo.id, Echo.methods.echo.ordinal, ARGUMENTS);
  if (!reply.ok) bug(reply.reason);
}

/** Runs a turn of the loop, and returns the CPU milliseconds of one call. The start of the turn does not count. */
async function runGatedTurn({ name }: Tool): Promise<number> {
  const turn = gate.session.beginTurn();
  const described = await proxy.call(ToolProxy.methods.describeTools, { conversation: "main" });
  if (!described.ok) return bug(described.reason);
  const { snapshot } = described.value;
  return measureSpent(async (time) => {
    const call = { id: `call-${turn}-${time}`, name, arguments: ARGUMENTS };
    const reply = await proxy.call(ToolProxy.methods.invokeTool, { conversation: "main", turn, snapshot, call });
    if (!reply.ok || reply.value.result.outcome !== "ok") bug(JSON.stringify(reply));
  });
}

/** Measures the milliseconds of a call in each turn, and counts the syncs of all turns except the first. */
class Gated {
  readonly #tool: Tool;
  readonly #milliseconds: number[] = [];
  #syncs = 0;

  constructor(tool: Tool) {
    this.#tool = tool;
  }

  async turn(): Promise<void> {
    const before = syncs;
    this.#milliseconds.push(await runGatedTurn(this.#tool));
    if (this.#milliseconds.length > 1) this.#syncs += syncs - before;
  }

  /**
   * Returns the milliseconds and the syncs of one call. The minimum of the milliseconds counts, because other programs
   * on the machine can only increase a measurement.
   */
  reportCost() {
    const calls = (this.#milliseconds.length - 1) * CALLS_PER_TURN;
    return { milliseconds: Math.min(...this.#milliseconds), syncs: this.#syncs / calls };
  }
}

const own: number[] = [];
const [reading, changing] = [new Gated(ECHO), new Gated(WRITE)];
for (let turn = 0; turn < TURNS; turn += 1) {
  own.push(await measureSpent(callBare));
  await reading.turn();
  await changing.turn();
}
const told = { bare: Math.min(...own), reading: reading.reportCost(), changing: changing.reportCost() };
process.stdout.write(JSON.stringify(told));
process.exit(0);
