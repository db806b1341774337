// A gate between simulated neighbours whose answers a test sets. Questions, records, charges and sent calls are kept in order.
import { isDeepStrictEqual } from "node:util";
import { answered, CANNED, indexed } from "../../../lib/policy/testing/sample.ts";
import type { AuditEntry, AuditRecord, Masked, MessageRecord } from "../../../lib/wire/generated/audit.ts";
import type { PolicyTables, Redaction } from "../../../lib/wire/generated/policy.ts";
import {
  type Answer,
  AuditLog,
  Broker,
  type Consent,
  Metering,
  type Notice,
  type Passphrase,
  type Question,
  type QuotaLeft,
} from "../../../lib/wire/generated/wire.ts";
import { type CallOptions, type Connection, implement, makeFailure, type Reply } from "../../../lib/wire/index.ts";
import { Gate } from "../gate.ts";
import { Models } from "../models.ts";
import type { Description } from "../offered.ts";
import { Parking } from "../parking.ts";
import type { Neighbour } from "../ports.ts";
import { held } from "./neighbours.ts";

export type Serve = (json: string, options: CallOptions) => Promise<Reply<string>>;

export const answering =
  (json: string): Serve =>
  async () => ({ ok: true, value: json });

export interface Surroundings {
  readonly tables?: Partial<PolicyTables>;
  readonly serve?: Serve;
  /** Session name; "operator" by default. */
  readonly session?: string;
  /** Names of the services that the session holds; "notes" by default. */
  readonly services?: readonly string[];
  /** Answers of the person, in order; after the last one nobody can be reached. */
  readonly said?: readonly Answer[];
  /** Names of backends whose models the loop holds in addition to the canned one. */
  readonly answers?: readonly string[];
  /** Returns the sequence numbers of the sayings that the store has given to the loop since the store's last report. */
  readonly recalled?: (conversation: string) => Promise<readonly bigint[]>;
}

export const MODEL = { id: "stub:sha256-0", backend: CANNED };
const HASH = new Uint8Array(32);
/** Digest of the tables that gate and audit report. */
const DIGEST = new Uint8Array(32).fill(3);
const LEASE = new Uint8Array(16).fill(1);
const NONCE = new Uint8Array(16).fill(2);

export class Stage {
  readonly gate: Gate;
  readonly broker: Connection;
  readonly audit: Connection;
  readonly questions: Question[] = [];
  readonly notices: Notice[] = [];
  readonly entries: AuditEntry[] = [];
  /** Events in order, one word each. */
  readonly steps: string[] = [];
  readonly sent: string[] = [];
  /** The simulated audit answers with these fields, up to `refuses`. `isDurable`: whether it records on a disk. */
  isDurable = true;
  refusal = "";
  shipping = "";
  key: Uint8Array = new Uint8Array();
  sealed = 0n;
  taken = 0;
  auditsDigest: Uint8Array = DIGEST;
  refuses: "nothing" | "intents" | "outcomes" | "sessions" | "inferences" = "nothing";
  /**
   * The simulated broker answers with these fields, up to `remembers`. `exhausted`: the quota for which it refuses each
   * charge; empty if it refuses none.
   */
  exhausted = "";
  challengeFault = "";
  left: readonly QuotaLeft[] = [];
  /** Passphrase challenge of a login. */
  passphrase: Passphrase = { salt: new Uint8Array(), newSalt: new Uint8Array() };
  principal = "alice";
  losesProofs = false;
  /** Methods of the broker that get no reply. */
  readonly unanswered = new Set<keyof typeof Broker.methods>();
  readonly #heldBack = new Map<string, (arrive: () => void) => void>();
  remembers = true;
  /** Number of tokens that are left for one answer, and number of tokens that one answer uses. */
  tokens = 100;
  usage = { promptTokens: 3, outputTokens: 4 };
  /** If `untold`, workers die: from then on they report neither the beginning nor the end of an answer. */
  dies: "no" | "untold" = "no";
  /** Maximum tokens of an answer, as the worker reports at its beginning. */
  most = { promptTokens: 40, outputTokens: 9 };
  /** Messages that the worker reports as received and sent. */
  messages: readonly MessageRecord[] = [];
  /** The places that the worker reports as masked, and the redactions that it was told to apply. */
  masked: readonly Masked[] = [];
  redactions: readonly Redaction[] = [];
  refusesPermits = false;
  /** Whether a worker does not confirm the withdrawal of its permit. */
  keepsPermits = false;
  /** Requests to the broker and the models about answers, in order. */
  readonly answers: string[] = [];
  readonly #ended = new Map<string, Promise<void>>();
  /** Resolves when the console has drawn the notices. */
  drawn: Promise<void> = Promise.resolve();
  /** Resolves when the console has shown that the session is locked. */
  told: Promise<void> = Promise.resolve();
  /** Promise that the person waits for before they answer. */
  thinking: Promise<void> | undefined;
  /** Milliseconds that the person takes to answer. */
  askedMs = 1200;
  /** Milliseconds of the boot clock. */
  ms = 0;
  readonly consents: Consent[] = [];
  readonly #awaited: { readonly step: string; readonly resolve: () => void }[] = [];
  #said: Answer[];
  #pressed = Promise.withResolvers<boolean>();

  constructor({
    tables = {},
    serve = answering("{}"),
    said = [],
    session = "operator",
    services = ["notes"],
    answers = [],
    recalled,
  }: Surroundings = {}) {
    this.#said = [...said];
    this.broker = this.#broker();
    this.audit = held(this.#auditLog());
    const callTool: Connection["callTool"] = (_id, _method, json, options = {}) => {
      this.#came("send");
      this.sent.push(json);
      return serve(json, options);
    };
    const parts = {
      tables: indexed(tables.backends === undefined ? answered(tables) : tables),
      policyDigest: DIGEST,
      session,
      person: {
        surface: "console",
        ask: (question: Question) => this.#ask(question),
        announce: (notice: Notice) => void this.notices.push(notice),
        drawn: () => this.drawn,
        lock: () => {
          this.#came("lock");
          return this.told;
        },
        interrupted: () => this.#pressed.promise,
      },
      providers: new Map(services.map((name) => [name, { callTool }])),
      broker: this.broker,
      audit: this.audit,
      parking: new Parking(() => this.ms),
    };
    const models = new Map([[MODEL.backend, { id: MODEL.id, meter: this.#worker() }]]);
    for (const name of answers) models.set(name, { id: `stub:${name}`, meter: this.#worker() });
    const gate = Gate.open({ ...parts, models: new Models({ ...parts, models, recalled }) });
    if (gate === undefined) throw new Error(`the tables have no session ${session}`);
    this.gate = gate;
  }

  /** Returns the tools and the permit that the loop gets. */
  async described(conversation = "main"): Promise<Description> {
    const description = await this.gate.offering.describe(conversation);
    if (!description.ok) throw new Error(description.reason);
    return description.value;
  }

  /** Resolves when a step of this name happens next. */
  until(step: string): Promise<void> {
    return new Promise((resolve) => this.#awaited.push({ step, resolve }));
  }

  /**
   * Holds back the broker's next answer to this method. Resolves, once the answer is on its way, with a function that
   * releases the answer.
   */
  holdBack(method: keyof typeof Broker.methods): Promise<() => void> {
    return new Promise((resolve) => this.#heldBack.set(method, resolve));
  }

  #came(step: string): void {
    this.steps.push(step);
    for (const awaited of this.#awaited) if (awaited.step === step) awaited.resolve();
  }

  pressInterrupt(): void {
    this.#pressed.resolve(true);
    this.#pressed = Promise.withResolvers();
  }

  async #ask(question: Question) {
    this.#came(question.challenge === "" ? "ask" : "ask to sign");
    this.questions.push(question);
    if (this.thinking !== undefined) await this.thinking;
    const answer = this.#said.shift();
    const signature = answer === "granted" && question.challenge !== "" ? "signed" : "";
    return answer && { answer, signature, askedMs: this.askedMs };
  }

  #broker(): Connection {
    const broker = held(this.#brokerDesk());
    const call: Connection["call"] = async (method, params, options) => {
      const isLost = [...this.unanswered].some((name) => name === method.name);
      if (isLost) return { ok: false, code: "timedOut", reason: "no answer came in time" };
      const reply = await broker.call(method, params, options);
      const isOnItsWay = this.#heldBack.get(method.name);
      this.#heldBack.delete(method.name);
      if (isOnItsWay !== undefined) await new Promise<void>(isOnItsWay);
      return reply;
    };
    return { ...broker, call };
  }

  #brokerDesk() {
    return implement(Broker, {
      reserve: async ({ request: { turn, tool, prompts, task, phase, ran } }) => {
        for (const _ of ran) this.#came("settle");
        const place = task === "" ? "" : ` of ${task} ${phase}`;
        this.#came(`reserve ${tool} in ${turn} with ${prompts}${place}`);
        return { lease: this.exhausted === "" ? LEASE : new Uint8Array(), exhausted: this.exhausted };
      },
      settle: async ({ ran }) => {
        this.#came(ran ? "settle" : "give back");
        return {};
      },
      challenge: async ({ step }) => {
        this.#came("challenge");
        const made = this.challengeFault === "";
        return { challenge: made ? `sign ${step.arguments}` : "", nonce: NONCE, failure: this.challengeFault };
      },
      prove: async ({ signature }) => {
        this.#came(`prove ${signature}`);
        return { principal: this.principal, failure: this.principal === "" ? "wrong key" : "" };
      },
      remember: async ({ consent }) => {
        this.#came("remember");
        return { number: this.remembers ? this.consents.push(consent) : 0, failure: "" };
      },
      // The broker finds consents by conversation, in any turn.
      recall: async ({ consent }) => {
        const isKept = (one: Consent) => isDeepStrictEqual({ ...one, turn: 0 }, { ...consent, turn: 0 });
        return { number: this.consents.findIndex(isKept) + 1 };
      },
      consents: async () => ({
        held: this.consents.map(({ tool, words }, index) => ({ number: index + 1, tool, words, forMs: 61_000n })),
      }),
      takeBack: async ({ number }) => {
        const taken = number === 0 ? this.consents.map((_, index) => index + 1) : [number].filter((one) => one === 1);
        if (taken.length > 0) this.consents.length = 0;
        return { taken };
      },
      infer: async ({ inference: { backend, turn, task, phase } }) => {
        const place = task === "" ? "" : ` of ${task} ${phase}`;
        this.answers.push(`infer ${backend} in ${turn}${place}`);
        const exhausted = this.tokens === 0 ? "tokens" : "";
        return { lease: exhausted === "" ? LEASE : new Uint8Array(), mostTokens: this.tokens, exhausted };
      },
      settleTokens: async ({ tokens }) => {
        this.answers.push(`settle ${tokens}`);
        return {};
      },
      loginChallenge: async () => {
        this.#came("challenge a login");
        const made = this.challengeFault === "";
        const { challengeFault: failure, passphrase } = this;
        return { challenge: made ? "log in" : "", nonce: NONCE, failure, passphrase };
      },
      renew: async ({ signature }) => {
        this.#came(`renew ${signature}`);
        if (this.losesProofs) return makeFailure("failed", "lost");
        return { failure: this.principal === "" ? "wrong passphrase" : "" };
      },
      login: async ({ signature }) => {
        this.#came(`login ${signature}`);
        if (this.losesProofs) return makeFailure("failed", "lost");
        return { principal: this.principal, failure: this.principal === "" ? "wrong key" : "" };
      },
      logout: async () => {
        this.#came("logout");
        const taken = this.consents.map((_, index) => index + 1);
        this.consents.length = 0;
        return { taken };
      },
      keep: async () => makeFailure("failed", "nothing is kept here"),
      kept: async () => ({ state: new Uint8Array() }),
      forget: async () => ({}),
      keepSources: async () => makeFailure("failed", "nothing is kept here"),
      keptSources: async () => ({ chunk: new Uint8Array(), size: 0n }),
      remaining: async ({ conversation, turn, task, phase }) => {
        const place = task === "" ? "" : `, ${task} ${phase}`;
        return { lines: [`${conversation} in turn ${turn}${place}`], left: this.left };
      },
    });
  }

  #worker(): Neighbour {
    const worker = held(this.#metering());
    const call: Neighbour["call"] = async (method, params, options) =>
      this.keepsPermits && method.name === Metering.methods.withdraw.name
        ? { ok: false, code: "timedOut", reason: "why" }
        : worker.call(method, params, options);
    return { call };
  }

  /** Returns a model's worker. An answer ends when its permit is withdrawn, and has then used the tokens of `usage`. */
  #metering() {
    const ends = new Map<string, () => void>();
    return implement(Metering, {
      allow: async ({ nonce, mostTokens, redactions }) => {
        this.redactions = redactions;
        this.answers.push(`allow ${mostTokens}`);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.set(Buffer.from(nonce).toString("hex"), resolve);
        this.#ended.set(Buffer.from(nonce).toString("hex"), promise);
        return this.refusesPermits ? makeFailure("failed", "it is gone") : {};
      },
      asked: async () => (this.dies === "untold" ? makeFailure("closed", "it died") : { most: this.most }),
      ended: async ({ nonce }) => {
        await this.#ended.get(Buffer.from(nonce).toString("hex"));
        if (this.dies !== "no") return makeFailure("closed", "it died");
        return { usage: this.usage, messages: this.messages, masked: this.masked };
      },
      noted: async () => ({}),
      withdraw: async ({ nonce }) => {
        this.answers.push("withdraw");
        ends.get(Buffer.from(nonce).toString("hex"))?.();
        return {};
      },
    });
  }

  #auditLog() {
    let sequence = 0n;
    return implement(AuditLog, {
      append: async ({ entry }) => {
        const isRefused = !this.isDurable || this.refuses === `${entry.which}s`;
        if (isRefused) return makeFailure("failed", "the disk refused the record");
        this.#came(entry.which);
        this.entries.push(entry);
        sequence += 1n;
        return { sequence, hash: HASH, policyDigest: this.auditsDigest };
      },
      status: async () => {
        const place = {
          sequence,
          hash: HASH,
          policyDigest: this.auditsDigest,
          key: this.key,
          sealed: this.sealed,
          taken: this.taken,
          shipping: this.shipping,
        };
        return { durable: this.isDurable && this.refusal === "", ...place, refusal: this.refusal };
      },
      tail: async ({ count }) => ({ records: this.entries.slice(-count).map(recordOf) }),
    });
  }
}

function recordOf(entry: AuditEntry, index: number): AuditRecord {
  const place = { schemaVersion: 1, bootId: NONCE, sequence: BigInt(index + 1), previous: HASH };
  const time = { monotonicMs: 0n, wallMs: 0n, wallSource: "rtc" };
  return { ...place, ...time, policyDigest: DIGEST, writer: "gate.operator", entry };
}
