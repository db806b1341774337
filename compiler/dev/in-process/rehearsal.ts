// Runs the processes of an image in one Node.js process, over pairs of streams instead of sockets. All processes except
// the console and init are the real code.
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Duplex, duplexPair, pipeline } from "node:stream";
import { setTimeout as after } from "node:timers/promises";
import { type IndexedTables, readTables } from "../../../engine/lib/policy/index.ts";
import { LanguageModel, TextEmbedder } from "../../../engine/lib/wire/generated/capos.ts";
import { ConversationLog, ConversationStore } from "../../../engine/lib/wire/generated/conversations.ts";
import { type HeldService, PlanGate } from "../../../engine/lib/wire/generated/service.ts";
import { Files, HttpEndpoint, Logs, Services, Status } from "../../../engine/lib/wire/generated/tools.ts";
import {
  Approval,
  AuditLog,
  Broker,
  Metering,
  Session,
  Terminal,
  ToolProxy,
} from "../../../engine/lib/wire/generated/wire.ts";
import { type Connection, connect } from "../../../engine/lib/wire/index.ts";
import { Renewable } from "../../../engine/lib/wire/renewable.ts";
import { openLog } from "../../../engine/processes/audit/audit.ts";
import { openDevice } from "../../../engine/processes/audit/device.ts";
import { closePartition, openPartition } from "../../../engine/processes/audit/partition-file.ts";
import { serveAudit } from "../../../engine/processes/audit/serve.ts";
import type { Receipt } from "../../../engine/processes/audit/store.ts";
import { openDesks } from "../../../engine/processes/broker/broker.ts";
import { openDirectoryDisk } from "../../../engine/processes/broker/disk/disk.ts";
import { findDesk, serveGate as serveDesk } from "../../../engine/processes/broker/serve.ts";
import { Embedding } from "../../../engine/processes/conversations/meaning/embedding.ts";
import { Meanings } from "../../../engine/processes/conversations/meaning/meanings.ts";
import { openStore } from "../../../engine/processes/conversations/opening.ts";
import { serveConversations } from "../../../engine/processes/conversations/serve.ts";
import type { Store } from "../../../engine/processes/conversations/store.ts";
import { Archive } from "../../../engine/processes/gate/archive.ts";
import { Gate } from "../../../engine/processes/gate/gate.ts";
import { Models } from "../../../engine/processes/gate/models.ts";
import { Parking } from "../../../engine/processes/gate/parking.ts";
import { Plans } from "../../../engine/processes/gate/plans.ts";
import { connectPerson, heedInterrupts, serveGate, servePlans } from "../../../engine/processes/gate/serve.ts";
import { converse } from "../../../engine/processes/loop/loop.ts";
import { serveMetering } from "../../../engine/processes/model/metering.ts";
import { Permits } from "../../../engine/processes/model/permits.ts";
import { readReplies } from "../../../engine/processes/model/replies.ts";
import { createStubInfo, serveModel } from "../../../engine/processes/model/serve.ts";
import { Directory } from "../../../engine/processes/services/files/directory.ts";
import { serveFiles } from "../../../engine/processes/services/files/serve.ts";
import { Journal } from "../../../engine/processes/services/logs/journal.ts";
import { serveLogs } from "../../../engine/processes/services/logs/serve.ts";
import { createHeld } from "../../../engine/processes/services/own/held.ts";
import { type OwnService, serveOwn } from "../../../engine/processes/services/own/serve.ts";
import { serveServices } from "../../../engine/processes/services/services/serve.ts";
import { serveStatus } from "../../../engine/processes/services/status/serve.ts";
import { FakeConsole, type Signs } from "./fake-console.ts";
import { FakeInit } from "./fake-init.ts";

interface Stage {
  readonly tables: Uint8Array;
  /** The session that a test uses by default. */
  readonly session: string;
  readonly replies: Uint8Array;
  /** Services of the kind Files by name, each with its directory. */
  readonly files: Readonly<Record<string, string>>;
  /** Programs of the package, by the name of their service. */
  readonly own?: Readonly<Record<string, OwnService>>;
  /** Grants of the programs in `own`, by the name of their service. */
  readonly held?: Readonly<Record<string, readonly HeldService[]>>;
  /** Services of the kind HttpEndpoint by name, each with a replacement for egress; if absent, there is no network. */
  readonly endpoints?: Readonly<Record<string, (end: Duplex) => void>>;
  /** Name of the service of the kind Logs; `status` is the name of the service of the kind Status. */
  readonly logs?: string;
  /** Name of the service of the kind Services. */
  readonly services?: string;
  readonly status?: string;
  /** Returns the names of a process's grants; if this function is absent, each gate has a grant of every service. */
  readonly grants?: (process: string) => readonly string[];
  /** Folder whose file audit.log replaces the audit partition; if absent, the machine has no data disk. */
  readonly disk?: string | undefined;
  /** Folder of the conversations; if absent, conversations are in memory. */
  readonly conversations?: string | undefined;
  /**
   * Workers of the backends that have a separate process, by the backend's name. A stub in this process answers for all
   * other backends.
   */
  readonly workers?: ReadonlyMap<string, ModelWorker>;
  /** Embedders by session; a session without an embedder does not search by meaning. */
  readonly embedders?: ReadonlyMap<string, ModelWorker>;
  /**
   * Signs the logins of all sessions that require one, so that they are open when a test begins; if absent, these
   * sessions stay locked.
   */
  readonly signIn?: Signs;
  /** Boot identifier of this run, 32 hexadecimal digits; random by default. */
  readonly bootId?: string;
}

/** The process of a model. */
export interface ModelWorker {
  /** Identifier of the model, which the manifest passes to the gate, or to the store if the model is an embedder. */
  readonly id: string;
  /** Returns the holder's end of the only connection to the process. */
  readonly connection: (holder: string, interfaceId: bigint) => Duplex;
}

const MODEL_ID = "stub:sha256-0";

/** Returns the backends that may answer in the session, as in the manifest. */
function listBackends({ rows, backends }: IndexedTables, session: string): readonly string[] {
  const choices = rows.find((row) => row.session === session)?.backends ?? [];
  return choices.flatMap(({ backend, mode }) => (mode === "forbidden" ? [] : (backends[backend]?.name ?? [])));
}

/** One session with its person. */
export interface Scene {
  readonly console: FakeConsole;
  readonly gate: Gate;
  /** Runs a command such as `/tools` over the console's own connection to the gate. */
  readonly command: (name: string, argument?: string) => Promise<readonly string[]>;
  /** A second connection to the gate, like a connection that a compromised loop could use. */
  readonly proxy: Connection;
  /** A second connection to each model in this process, by the name of its backend. */
  readonly models: ReadonlyMap<string, Connection>;
  /** Opens another connection to the gate, into which a test writes bytes. */
  readonly rawProxy: () => Duplex;
  /** Resolves when the loop has ended. */
  readonly over: Promise<void>;
}

export interface Rehearsal extends Scene {
  readonly init: FakeInit;
  /** Records that the audit has acknowledged to a gate, in order. */
  readonly acknowledged: readonly Receipt[];
  readonly scene: (session: string) => Scene;
  /** Ends the conversations at all consoles, waits until all loops have ended, and closes the files. */
  readonly leave: () => Promise<void>;
  /**
   * Gives the holders of a killed process new connections to it. If the process is the audit, it reads its log from the
   * disk again.
   */
  readonly restart: (name: string) => Promise<void>;
  /** Stops all processes, as a power cut would, and waits only until the files of the disk are closed. */
  readonly stop: () => Promise<void>;
}

type Hold = (name: string, provider: string, serveEnd: (end: Duplex) => void) => Connection;

export async function rehearse(stage: Stage): Promise<Rehearsal> {
  const tables = readTables(stage.tables);
  if (!tables.ok) throw new Error(tables.reason);
  const init = new FakeInit();
  const bootId = stage.bootId ?? randomBytes(16).toString("hex");
  const { neighbours, reopen, close } = await createNeighbours(stage, tables.value, bootId);
  const store = openStore(stage.conversations, { now: () => 0, bootId });
  const meanings = createMeanings(stage, store);
  const provideConversations = (interfaceId: bigint): Providers[string] => ({
    interfaceId,
    serve: (stream, holder) => void serveConversations({ stream, holder, interfaceId }, store, meanings),
  });
  const sessions = new Set(tables.value.rows.map(({ session }) => session));
  const gates: PlanGates = new Map([...sessions].map((session) => [session, Promise.withResolvers<Plans>()]));
  const providers = {
    ...createServices(stage, init, gates),
    ...neighbours,
    conversations: provideConversations(ConversationStore.id),
    said: provideConversations(ConversationLog.id),
  };
  const acknowledged: Receipt[] = [];
  const parts = { stage, tables: tables.value, providers, init, acknowledged, gates };
  const opened = [...sessions].map(async (session) => [session, await openScene(parts, session)] as const);
  const scenes = new Map(await Promise.all(opened));
  if (stage.signIn !== undefined) await Promise.all([...scenes.values()].map((scene) => signIn(scene, stage.signIn)));
  const getScene = (session: string) => scenes.get(session) ?? failMissing(`no session ${session}`);
  const leave = async () => {
    await Promise.all([...scenes.values()].map(({ console }) => console.leave()));
    await Promise.all([...scenes.values()].map(({ over }) => over));
    meanings.stop();
    store.close();
    await close();
  };
  const stop = async () => {
    init.killAll();
    meanings.stop();
    store.close();
    await close();
  };
  const restart = async (name: string) => {
    if (name === "audit") await reopen();
    init.announceStart(name);
  };
  init.say("the rehearsal begins");
  return { init, acknowledged, scene: getScene, leave, restart, stop, ...getScene(stage.session) };
}

function createMeanings({ embedders = new Map() }: Stage, store: Store): Meanings {
  const embeddings = [...embedders].map(([session, { id, connection }]) => {
    return [session, new Embedding(id, connect(connection("conversations", TextEmbedder.id)))] as const;
  });
  return new Meanings(store, new Map(embeddings), async (ms) => void (await after(ms, undefined, { ref: false })));
}

async function signIn({ gate, console, command }: Scene, sign: Signs = () => ""): Promise<void> {
  if (!gate.seat.isLocked) return;
  console.answers.push(sign);
  const lines = await command("login");
  if (gate.seat.isLocked) throw new Error(lines.join("; "));
}

/** Serves the provider's end of one granted connection; init names the holder. */
type Provider = (end: Duplex, holder: string) => void;
type Providers = Readonly<Record<string, { readonly interfaceId: bigint; readonly serve: Provider }>>;

/** Gates to which services have grants, by session. Each promise resolves when its session is opened. */
type PlanGates = ReadonlyMap<string, PromiseWithResolvers<Plans>>;

function createServices(stage: Stage, init: FakeInit, gates: PlanGates): Providers {
  const superviseHolder = (holder: string) =>
    holdFor(init, holder)("supervisor", "init", (end) => init.serve(end, holder));
  const files = Object.entries(stage.files).map(([name, root]) => {
    const directory = new Directory(root, 0);
    const serveAs = (end: Duplex, interfaceId: bigint) => void serveFiles(end, interfaceId, { directory });
    return [name, { interfaceId: Files.id, serveAs, serve: (end: Duplex) => serveAs(end, Files.id) }] as const;
  });
  const own: OwnServed[] = Object.entries(stage.own ?? {}).map(([name, service]) => {
    const grants = stage.held?.[name] ?? [];
    const connections = new Map<string, Connection>();
    const getConnection = (held: string) => {
      const grant = grants.find((one) => one.name === held) ?? failMissing(`${name} does not hold ${held}`);
      const known = connections.get(held) ?? openConnection({ files, own, gates }, grant);
      connections.set(held, known);
      return known;
    };
    const held = (signal: AbortSignal) => createHeld(grants, getConnection, signal);
    const serve = (end: Duplex) => void serveOwn(end, { ...service, held });
    return [name, { interfaceId: service.interfaceId, serve }] as const;
  });
  const endpoints = Object.entries(stage.endpoints ?? {}).map(
    ([name, serve]) => [name, { interfaceId: HttpEndpoint.id, serve }] as const,
  );
  const { logs, services, status } = stage;
  const journal = logs === undefined ? undefined : new Journal(superviseHolder(logs));
  return {
    ...Object.fromEntries([...files, ...own, ...endpoints]),
    ...(logs && journal && { [logs]: { interfaceId: Logs.id, serve: (end: Duplex) => void serveLogs(end, journal) } }),
    ...(services && {
      [services]: {
        interfaceId: Services.id,
        serve: (end: Duplex) => void serveServices(end, superviseHolder(services)),
      },
    }),
    ...(status && {
      [status]: { interfaceId: Status.id, serve: (end: Duplex) => void serveStatus(end, superviseHolder(status)) },
    }),
  };
}

type FilesServed = readonly [string, { readonly serveAs: (end: Duplex, interfaceId: bigint) => void }];
type OwnServed = readonly [string, { readonly interfaceId: bigint; readonly serve: (end: Duplex) => void }];

interface Holdable {
  readonly files: readonly FilesServed[];
  readonly own: readonly OwnServed[];
  readonly gates: PlanGates;
}

/**
 * Connects a program to the process that its grant names: a service of files, another program, or the gate that
 * executes plans.
 */
function openConnection({ files, own, gates }: Holdable, { name, interfaceId }: HeldService): Connection {
  const [mine, end] = duplexPair();
  if (interfaceId === PlanGate.id) {
    const gate = gates.get(name) ?? failMissing(`no session ${name}`);
    void gate.promise.then((plans) => servePlans(end, plans));
    return connect(mine);
  }
  const [, program] = own.find(([one]) => one === name) ?? [];
  const [, folder] = files.find(([one]) => one === name) ?? [];
  const serveAs = program?.serve ?? folder?.serveAs ?? failMissing(`nobody serves ${name}`);
  serveAs(end, interfaceId);
  return connect(mine);
}

interface Neighbours {
  readonly neighbours: Providers;
  /** Restarts the audit: the new process verifies the log and continues at its end. */
  readonly reopen: () => Promise<void>;
  /** Closes the files on the disk. */
  readonly close: () => Promise<void>;
}

async function createNeighbours(
  stage: Stage,
  { systemId, version }: IndexedTables,
  bootId: string,
): Promise<Neighbours> {
  const world = { now: () => Math.trunc(performance.now()), wall: Date.now, random: randomBytes };
  const desks = openDesks(
    stage.tables,
    bootId,
    world,
    stage.disk === undefined ? undefined : openDirectoryDisk(stage.disk),
  );
  if (!desks.ok) throw new Error(desks.reason);
  const policyDigest = createHash("sha256").update(stage.tables).digest();
  const time = () => ({ monotonicMs: 1n, wallMs: 0n, wallSource: "" });
  const boot = { systemId, version, bootId: Buffer.from(bootId, "hex"), policyDigest, writer: "audit", time };
  const partition = stage.disk === undefined ? undefined : openPartition(join(stage.disk, "audit.log"));
  const device = partition === undefined ? undefined : openDevice(partition);
  let log = await openLog(boot, device);
  const neighbours: Providers = {
    audit: { interfaceId: AuditLog.id, serve: (stream, holder) => void serveAudit({ stream, holder }, log) },
    broker: {
      interfaceId: Broker.id,
      serve: (end, holder) => {
        const desk = findDesk(desks.value, { holder, interfaceId: Broker.id }) ?? failMissing(`no desk for ${holder}`);
        serveDesk(end, desk);
      },
    },
  };
  const reopen = async () => {
    await log.store?.close();
    log = await openLog(boot, device);
  };
  const close = async () => {
    await log.store?.close();
    if (partition !== undefined) closePartition(partition);
  };
  return { neighbours, reopen, close };
}

interface SceneParts {
  readonly stage: Stage;
  readonly tables: IndexedTables;
  readonly providers: Providers;
  readonly init: FakeInit;
  readonly acknowledged: Receipt[];
  readonly gates: PlanGates;
}

/** Connections that each gate has, besides those to the services of its session. */
const NEIGHBOURS: readonly string[] = ["audit", "broker", "conversations", "said"];

async function openScene(
  { stage, tables, providers, init, acknowledged, gates }: SceneParts,
  session: string,
): Promise<Scene> {
  const screen = new FakeConsole();
  const holder = `gate.${session}`;
  const hold = holdFor(init, holder);
  const connectByName = (name: string) => {
    const { serve } = providers[name] ?? failMissing(`nobody provides ${name}`);
    return hold(name, name, (end) => serve(end, holder));
  };
  const granted = stage.grants?.(holder) ?? Object.keys(providers);
  const services = granted.filter((name) => name in providers && !NEIGHBOURS.includes(name));
  const person = connectPerson(
    "console",
    hold("console", "console", (end) => screen.serve(end, Approval.id)),
  );
  const held = new Map(services.map((name) => [name, connectByName(name)]));
  const [broker, audit] = [connectByName("broker"), collectReceipts(connectByName("audit"), acknowledged)];
  const policyDigest = createHash("sha256").update(stage.tables).digest();
  // The permits of each backend are separate, because each worker stores its own permits.
  const permits = new Map(listBackends(tables, session).map((name) => [name, new Permits()] as const));
  const models = new Map(
    [...permits].map(([name, allowed]) => {
      const worker = stage.workers?.get(name);
      const serve = (end: Duplex) =>
        worker === undefined ? void serveMetering(end, allowed) : couple(end, worker.connection(holder, Metering.id));
      const meter = hold(`model.${name}`, `model.${name}`, serve);
      return [name, { id: worker?.id ?? MODEL_ID, meter }] as const;
    }),
  );
  const known = { tables, policyDigest, session, person, broker, audit, parking: new Parking(() => 0) };
  const supervisor = hold("supervisor", "init", (end) => init.serve(end, holder));
  const archive = new Archive({ store: connectByName("conversations"), supervisor });
  const recallConversation = (conversation: string) => archive.takeRecalled(conversation);
  const answering = new Models({ ...known, models, recalled: recallConversation });
  const gate = Gate.open({ ...known, providers: held, models: answering }) ?? failMissing(session);
  void heedInterrupts(person, gate);
  gates.get(session)?.resolve(new Plans(gate, () => performance.now()));
  const interfaces = services.map((name) => [name, providers[name]?.interfaceId ?? 0n] as const);
  const first = await archive.beginFirst();
  if (first.ok) gate.nameAs(first.value);
  const parts = { gate, held: new Map(interfaces), supervisor, archive };
  const openRawProxy = () => createPair((end) => serveGate(end, ToolProxy.id, parts));
  const console = connect(createPair((end) => serveGate(end, Session.id, parts)));
  screen.beginTurn = (line = "") => {
    const said = createHash("sha256").update(line).digest();
    return console.call(Session.methods.beginTurn, { said, pieces: [{ text: line, isPasted: false }] });
  };
  const sendCommand = async (name: string, argument = "") => {
    const reply = await console.call(Session.methods.command, { name, argument, isPasted: false });
    return reply.ok ? reply.value.lines : [reply.reason];
  };
  const { serve: serveSaid } = providers["said"] ?? failMissing("nobody provides the conversations");
  const serveStore = (end: Duplex) => serveSaid(end, `loop.${session}`);
  const serveModels = createModelServers(stage, permits, `loop.${session}`);
  const here = [...serveModels].filter(([name]) => stage.workers?.has(name) !== true);
  const start = () =>
    talk({ screen, session, init, serveModels, serveStore }, (end) => serveGate(end, ToolProxy.id, parts));
  let over = start();
  init.mayRestart(`loop.${session}`, async () => {
    await over;
    over = start();
  });
  return {
    console: screen,
    gate,
    command: sendCommand,
    proxy: connect(openRawProxy()),
    models: new Map(here.map(([name, serve]) => [name, connect(createPair(serve))])),
    rawProxy: openRawProxy,
    get over() {
      return over;
    },
  };
}

/** For each backend, a function that serves an end of a connection to its model. */
type ModelServers = ReadonlyMap<string, (end: Duplex) => void>;

function createModelServers(stage: Stage, permits: ReadonlyMap<string, Permits>, holder: string): ModelServers {
  const replies = readReplies(stage.replies);
  if (!replies.ok) throw new Error(replies.reason);
  const model = { replies: replies.value, info: createStubInfo(MODEL_ID) };
  const createServer = (name: string, allowed: Permits) => (end: Duplex) => {
    const worker = stage.workers?.get(name);
    if (worker === undefined) serveModel(end, model, allowed);
    else couple(end, worker.connection(holder, LanguageModel.id));
  };
  return new Map([...permits].map(([name, allowed]) => [name, createServer(name, allowed)]));
}

interface Talk {
  readonly screen: FakeConsole;
  readonly session: string;
  readonly init: FakeInit;
  readonly serveModels: ModelServers;
  readonly serveStore: (end: Duplex) => void;
}

function talk({ screen, session, init, serveModels, serveStore }: Talk, serveProxy: (end: Duplex) => void) {
  const hold = holdFor(init, `loop.${session}`);
  return converse({
    terminal: hold("console", "console", (end) => screen.serve(end, Terminal.id)),
    gate: hold("gate", `gate.${session}`, serveProxy),
    models: new Map(
      [...serveModels].map(([name, serve]) => [name, hold(`model.${name}`, `model.${name}`, serve)] as const),
    ),
    store: hold("conversations", "conversations", serveStore),
  });
}

/**
 * Returns a function that opens connections of one holder. Each connection is registered with init, and renewed after a
 * restart of its provider.
 */
function holdFor(init: FakeInit, holder: string): Hold {
  return (name, provider, serveEnd) => {
    const open = () => {
      const [mine, end] = duplexPair();
      init.add({ holder, name, provider, end }, mine);
      serveEnd(end);
      return mine;
    };
    const held = new Renewable(open());
    init.registerRenewal(provider, () => held.renew(open()));
    return held.connection;
  };
}

/** Returns a connection to the audit that also adds the receipt of each record to `receipts`. */
function collectReceipts(audit: Connection, receipts: Receipt[]): Connection {
  const { append } = AuditLog.methods;
  const call: Connection["call"] = async (method, params, options) => {
    const reply = await audit.call(method, params, options);
    const told = reply.ok && method.ordinal === append.ordinal ? reply.value : undefined;
    if (isReceipt(told)) receipts.push(told);
    return reply;
  };
  return { ...audit, call };
}

function isReceipt(told: unknown): told is Receipt {
  return typeof told === "object" && told !== null && "sequence" in told && "hash" in told;
}

/** Connects two streams in both directions; if one stream ends, the other ends too. */
function couple(end: Duplex, other: Duplex): void {
  pipeline(end, other, end, () => {});
}

function createPair(serveEnd: (end: Duplex) => void): Duplex {
  const [mine, theirs] = duplexPair();
  serveEnd(theirs);
  return mine;
}

function failMissing(what: string): never {
  throw new Error(`the stage is wrong: ${what}`);
}
