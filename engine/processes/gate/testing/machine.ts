// A simulated machine for calls: real gates between a real broker and a real store of conversations. The machine's disks, services
// and clock outlast each run; a run dies at any step that a test names.
import { createHash } from "node:crypto";
import { duplexPair } from "node:stream";
import { readTables } from "../../../lib/policy/index.ts";
import { CANNED } from "../../../lib/policy/testing/sample.ts";
import { nameSeat } from "../../../lib/roles/names.ts";
import type { AuditEntry } from "../../../lib/wire/generated/audit.ts";
import { ConversationStore } from "../../../lib/wire/generated/conversations.ts";
import { PolicyTables } from "../../../lib/wire/generated/policy.ts";
import { type Answer, AuditLog, Metering, type Question, Supervisor } from "../../../lib/wire/generated/wire.ts";
import {
  type CallOptions,
  type Connection,
  connect,
  encodeMessage,
  type Implementation,
  implement,
  type MethodLayout,
  makeFailure,
  type Reply,
  serveInterface,
} from "../../../lib/wire/index.ts";
import { type Desks, openDesks } from "../../broker/broker.ts";
import { MemoryDisk } from "../../broker/disk/testing/memory-disk.ts";
import { TestWorld } from "../../broker/quotas/testing/quota-ledgers.ts";
import { serveGate as serveDesk } from "../../broker/serve.ts";
import { armoured, type SoftKey, softKey } from "../../broker/sshsig/testing/soft-key.ts";
import { NAMESPACES } from "../../broker/step-up/signed-line.ts";
import { openStore } from "../../conversations/opening.ts";
import { serveConversations } from "../../conversations/serve.ts";
import type { Store } from "../../conversations/store.ts";
import { Archive } from "../archive.ts";
import type { CommandParts } from "../commands/index.ts";
import { Gate } from "../gate.ts";
import { Models } from "../models.ts";
import { Parking } from "../parking.ts";
import type { Neighbour } from "../ports.ts";

const BOOT_ID = "00112233445566778899aabbccddeeff";
const HASH = new Uint8Array(32);
/** Milliseconds that a person takes to answer. */
const ASKED_MS = 900;
const NO_TAIL = { records: [] };

/** An effect of a service: it cannot be undone, and outlasts every run. */
interface Effect {
  readonly tool: string;
  readonly arguments: string;
  /** Number of records on the disk when the effect happened. */
  readonly records: number;
}

/** The request at which the run dies, and whether it dies before or after the request is received. */
interface Death {
  readonly at: number;
  readonly isHeard: boolean;
}

/** A person's answer to a question; they sign if a signature is asked for. */
export type Saying = Answer | "signs with another key";

export class Machine {
  readonly disk = new MemoryDisk();
  readonly world = new TestWorld();
  /** Records on the audit's disk. */
  readonly records: AuditEntry[] = [];
  readonly effects: Effect[] = [];
  /** Nonces of the answers that models have begun. */
  readonly answered: string[] = [];
  readonly key: SoftKey = softKey("ssh-ed25519");
  readonly otherKey: SoftKey = softKey("ssh-ed25519");
  folder: string | undefined;
  #boots = 0;

  /** `folder` is the directory of the conversations; without a folder, the conversations are in memory. */
  constructor(folder?: string) {
    this.folder = folder;
  }

  /** Starts the machine with this page. `ingress` makes the gate that of the worker of this ingress. */
  start(page: PolicyTables, session = "operator", ingress?: string): Run {
    this.#boots += 1;
    return new Run(this, page, { session, ingress }, `${this.#boots}`.padStart(32, "0"));
  }
}

export class Run {
  readonly machine: Machine;
  readonly gate: Gate;
  readonly parts: CommandParts;
  readonly store: Store;
  readonly desks: Desks;
  readonly questions: Question[] = [];
  said: Saying[] = [];
  /** Answers calls of the tool with this name, as a service. */
  serves: (tool: string, json: string) => Reply<string> = () => ({ ok: true, value: '{"a":1}' });
  /** Called with each question to a person, and with their answer. */
  heard: ((question: Question, saying: Saying | undefined) => void) | undefined;
  /** Each request of the gate to another process, in order. */
  readonly requests: string[] = [];
  /** Processes that init was asked to restart, in order. */
  readonly restarted: string[] = [];
  death: Death | undefined;
  /** Replies that are lost, such as `broker.keep`: the recipient received and executed the request. */
  readonly lost = new Set<string>();
  #isDead = false;
  readonly #died = Promise.withResolvers<void>();

  constructor(
    machine: Machine,
    page: PolicyTables,
    { session, ingress }: { readonly session: string; readonly ingress: string | undefined },
    bootId: string,
  ) {
    const desk = nameSeat(session, ingress);
    this.machine = machine;
    const bytes = encodeMessage(PolicyTables, page);
    const tables = readTables(bytes);
    if (!tables.ok) throw new Error(tables.reason);
    const desks = openDesks(bytes, BOOT_ID, machine.world, machine.disk);
    if (!desks.ok) throw new Error(desks.reason);
    this.desks = desks.value;
    this.store = openStore(machine.folder, { now: () => 0, bootId });
    const policyDigest = createHash("sha256").update(bytes).digest();
    const broker = this.#heard("broker", this.#desk(desk));
    const audit = this.#heard("audit", held(auditLog(machine, policyDigest)));
    const serving = (provider: string): Connection["callTool"] => {
      const nameOf = (method: number) =>
        tables.value.tools.find((one) => one.provider === provider && one.method === method);
      return (_id, method, json) => this.#effect(nameOf(method)?.name ?? "", json);
    };
    const person = {
      surface: "console",
      ask: (question: Question) => this.#asked(question),
      announce: () => {},
      drawn: async () => {},
      lock: async () => {},
      interrupted: () => new Promise<boolean>(() => {}),
    };
    const parking = new Parking(machine.world.now);
    const parts = { tables: tables.value, policyDigest, session, ingress, person, broker, audit, parking };
    const models = new Map([[CANNED, { id: "stub", meter: this.#heard("model", held(metering(machine))) }]]);
    const providers = new Map(tables.value.tools.map(({ provider }) => [provider, { callTool: serving(provider) }]));
    const gate = Gate.open({ ...parts, providers, models: new Models({ ...parts, models }) });
    if (gate === undefined) throw new Error(`the tables have no session ${session}`);
    this.gate = gate;
    const supervisor = held(restarting(this.restarted));
    const archive = new Archive({ store: this.#heard("store", this.#conversations(desk)), supervisor });
    this.parts = { gate, held: new Map(), supervisor, archive };
  }

  /** Opens the first conversation of the run, and returns its name. */
  async opened(): Promise<string> {
    const first = await this.parts.archive?.beginFirst();
    if (first?.ok !== true) throw new Error(first?.reason ?? "there is no archive");
    this.gate.nameAs(first.value);
    return first.value;
  }

  /** Resolves when the run has died, and never if the run does not die. */
  get died(): Promise<void> {
    return this.#died.promise;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  #desk(session: string): Connection {
    const desk = this.desks.get(session);
    if (desk === undefined) throw new Error(`there is no desk for ${session}`);
    const [mine, theirs] = duplexPair();
    serveDesk(theirs, desk);
    return connect(mine);
  }

  #conversations(session: string): Connection {
    const [mine, theirs] = duplexPair();
    serveConversations({ stream: theirs, holder: `gate.${session}`, interfaceId: ConversationStore.id }, this.store);
    return connect(mine);
  }

  #heard(who: string, neighbour: Neighbour): Neighbour {
    const call = async <P, R>(method: MethodLayout<P, R>, params: P, options?: CallOptions): Promise<Reply<R>> => {
      const reply = await this.#through(`${who}.${method.name}`, () => neighbour.call(method, params, options));
      const isLost = this.lost.has(`${who}.${method.name}`);
      return isLost ? { ok: false, code: "timedOut", reason: "no answer came in time" } : reply;
    };
    return { call };
  }

  /** Makes a request. If the run dies at this request, the request or its answer is lost. */
  async #through<T>(request: string, heard: () => Promise<T>): Promise<T> {
    if (this.#isDead) return new Promise(() => {});
    // `model.ended` asks for the usage of a model's answer. It can arrive at any time after the answer has ended, so a
    // run cannot be made to die at it reliably.
    if (request === "model.ended") return heard();
    this.requests.push(request);
    const isLast = this.death?.at === this.requests.length;
    const { isHeard = true } = isLast ? (this.death ?? {}) : {};
    if (!isLast) {
      const reply = await heard();
      return this.#isDead ? new Promise(() => {}) : reply;
    }
    this.#isDead = true;
    if (isHeard) await heard();
    this.#died.resolve();
    return new Promise(() => {});
  }

  async #effect(tool: string, json: string): Promise<Reply<string>> {
    return this.#through("service", async () => {
      const { effects, records } = this.machine;
      effects.push({ tool, arguments: json, records: records.length });
      return this.serves(tool, json);
    });
  }

  #asked(question: Question) {
    return this.#through("person", async () => {
      this.questions.push(question);
      const answer = this.said.shift();
      this.heard?.(question, answer);
      if (answer === undefined) return undefined;
      if (question.challenge === "") {
        const letters = answer === "signs with another key" ? ("denied" as const) : answer;
        return { answer: letters, signature: "", askedMs: ASKED_MS };
      }
      const key = answer === "granted" ? this.machine.key : this.machine.otherKey;
      const isSigned = answer === "granted" || answer === "signs with another key";
      const namespace = question.isLogin ? NAMESPACES.login : NAMESPACES.stepUp;
      const signature = isSigned ? armoured(key.sign(question.challenge, { namespace })) : "";
      const given = answer === "signs with another key" ? ("granted" as const) : answer;
      return { answer: given, signature, askedMs: ASKED_MS };
    });
  }
}

function auditLog(machine: Machine, policyDigest: Uint8Array): Implementation {
  return implement(AuditLog, {
    append: async ({ entry }) => ({ sequence: BigInt(machine.records.push(entry)), hash: HASH, policyDigest }),
    status: async () => {
      const place = { sequence: BigInt(machine.records.length), hash: HASH, policyDigest };
      return { durable: true, key: new Uint8Array(), sealed: 0n, shipping: "", taken: 0, ...place, refusal: "" };
    },
    tail: async () => NO_TAIL,
  });
}

/**
 * Returns a worker that answers with three tokens as soon as a permit allows it, and ends the answer when its gate requests this.
 */
function metering(machine: Machine): Implementation {
  const ends = new Map<string, PromiseWithResolvers<void>>();
  return implement(Metering, {
    allow: async ({ nonce }) => {
      const name = Buffer.from(nonce).toString("hex");
      ends.set(name, Promise.withResolvers());
      machine.answered.push(name);
      return {};
    },
    asked: async () => ({ most: { promptTokens: 2, outputTokens: 1 } }),
    ended: async ({ nonce }) => {
      await ends.get(Buffer.from(nonce).toString("hex"))?.promise;
      return { messages: [], masked: [], usage: { promptTokens: 2, outputTokens: 1 } };
    },
    noted: async () => ({}),
    withdraw: async ({ nonce }) => {
      ends.get(Buffer.from(nonce).toString("hex"))?.resolve();
      return {};
    },
  });
}

function restarting(restarted: string[]): Implementation {
  const refused = async () => makeFailure("failed", "not here");
  const others = { revoke: async () => ({}), stop: refused, facts: refused, readLog: refused, readNotices: refused };
  const restart = async ({ name }: { readonly name: string }) => {
    restarted.push(name);
    return {};
  };
  return implement(Supervisor, { ...others, restart });
}

function held(implementation: Implementation): Connection {
  const [mine, theirs] = duplexPair();
  serveInterface(theirs, [implementation]);
  return connect(mine);
}
