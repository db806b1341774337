// Decides which model answers, and under which permit. The loop holds the models and can address any of them. A model
// answers only a request that this gate has permitted: once, within the broker's tokens, and only while the
// conversation's label may flow to the model.
import { randomBytes } from "node:crypto";
import {
  type BackendStatus,
  type Conversation,
  evaluateBackends,
  formatLabel,
  type IndexedTables,
  isOpened,
  listRedactions,
  mayRecord,
  renderCanonicalJson,
} from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Masked, MessageRecord } from "../../lib/wire/generated/audit.ts";
import type { TokenUsage } from "../../lib/wire/generated/capos.ts";
import type { Redaction } from "../../lib/wire/generated/policy.ts";
import { AuditLog, Broker, type Consent, Metering } from "../../lib/wire/generated/wire.ts";
import { type Asked, askOnce, describeApproval } from "./asking.ts";
import { MESSAGE_BYTES, refuseTooMuch } from "./flood.ts";
import { describeSilence } from "./hearing.ts";
import { KnownMessages } from "./known-messages.ts";
import { NEIGHBOUR_MS, type Neighbour, type Person } from "./ports.ts";
import { canRecord, recordEvent } from "./recording.ts";
import { buildConsentPlace, recall, remember, takeBackConsent } from "./remembering.ts";
import { getBrokersRow } from "./reserving.ts";
import { MAX_QUESTIONS, type Turn } from "./turn.ts";

const NONCE_BYTES = 16;
/** Name by which the broker knows the step that opens a backend; no tool has such a name. */
const STEP = "/model";
const NOTHING: TokenUsage = { promptTokens: 0, outputTokens: 0 };

/** A model that the loop of this session can call, as the manifest says. */
interface Model {
  /** ID of the model in the audit. */
  readonly id: string;
  /** The worker of the model: the gate sends it permits, and it reports the numbers of tokens. */
  readonly meter: Neighbour;
}

interface ModelParts {
  readonly tables: IndexedTables;
  readonly policyDigest: Uint8Array;
  readonly session: string;
  readonly person: Person;
  readonly broker: Neighbour;
  readonly audit: Neighbour;
  /** Models by the name of the backend. */
  readonly models: ReadonlyMap<string, Model>;
  /** Returns the sayings that the store has given the loop since the last call; absent if no store keeps them. */
  readonly recalled?: ((conversation: string) => Promise<readonly bigint[]>) | undefined;
}

/** Permission for one answer. */
interface Permit {
  readonly backend: string;
  /** ID of the model in the audit. */
  readonly id: string;
  readonly nonce: Uint8Array;
}

/** Report of a worker about an answer that has ended. */
interface EndedAnswer {
  readonly usage: TokenUsage;
  readonly messages: readonly MessageRecord[];
  readonly masked: readonly Masked[];
}

/** State of a conversation, with the conversation and turn for which the broker counts. */
export interface Moment {
  readonly state: Conversation;
  readonly conversation: string;
  readonly turn: Turn;
}

interface Open {
  readonly permit: Permit;
  readonly meter: Neighbour;
  /** Number of the consent by which the permit's backend is open; 0 if the backend needs none. */
  readonly lease: number;
}

/** Whether a backend may answer, and the number of the consent that allows this; 0 if no consent is needed. */
interface Choice extends BackendStatus {
  readonly name: string;
  readonly lease: number;
}

export class Models {
  readonly #parts: ModelParts;
  #open: Open | undefined;
  /** Settlement of the last answer: unused tokens are refunded before the next answer reserves tokens. */
  #settling: Promise<void> = Promise.resolve();
  /** Messages of a conversation that are recorded already: every request repeats them, but each is recorded only once. */
  readonly #known = new KnownMessages();
  /** Consents revoked while a permit was being issued. */
  readonly #takenBack = new Set<number>();

  constructor(parts: ModelParts) {
    this.#parts = parts;
  }

  /**
   * Returns a permit for one answer of the first backend that may receive the conversation; fails if no backend may.
   * If only a gated backend may answer, the person is asked before the permit is issued.
   */
  async permit(moment: Moment): Promise<Result<Permit>> {
    const isVoid = await this.withdraw();
    if (!isVoid.ok) return isVoid;
    await this.#settling;
    this.#takenBack.clear();
    const flood = refuseTooMuch(this.#parts, moment.turn, 0);
    if (flood !== undefined) return refuse(flood);
    const standings = await this.listStandings(moment);
    if (!standings.ok) return standings;
    const now = standings.value.find(({ use }) => use === "now");
    const gated = standings.value.find(({ use }) => use === "gated");
    if (now !== undefined) return this.#allow(moment, now);
    if (gated === undefined) return refuse(describeSilence(this.#parts.tables, standings.value));
    const opened = await this.#pass(moment, gated);
    return opened.ok ? this.#allow(moment, { ...gated, lease: opened.value }) : opened;
  }

  /**
   * Opens a backend at a person's request: from now on it may answer, at its place in the page's order. Fails if the
   * backend is not behind a gate, or if the person does not approve it.
   */
  async open(moment: Moment, name: string): Promise<Result<number>> {
    const standings = await this.listStandings(moment);
    if (!standings.ok) return standings;
    const choice = standings.value.find((one) => one.name === name);
    if (choice === undefined) return refuse("no backend of this session has that name");
    if (choice.use !== "gated") return refuse(choice.reason);
    return this.#pass(moment, choice);
  }

  /**
   * Returns for each backend of the row whether it may answer, in the page's order. Fails if the broker does not
   * answer.
   */
  async listStandings({ state, conversation, turn }: Moment): Promise<Result<readonly Choice[]>> {
    const { tables, broker } = this.#parts;
    const leases = new Map<number, number>();
    for (const { backend } of tables.rows[state.row]?.backends.filter(isOpened) ?? []) {
      const place = { conversation, turn: turn.number };
      const held = await recall(broker, buildLease(tables, state, place, nameOf(tables, backend)));
      if (!held.ok) return held;
      if (held.value !== 0) leases.set(backend, held.value);
    }
    return accept(
      evaluateBackends(tables, state, new Set(leases.keys())).map((one) => ({
        ...one,
        name: nameOf(tables, one.backend),
        lease: leases.get(one.backend) ?? 0,
      })),
    );
  }

  /** Returns the ID of a backend's model in the audit, or `undefined` if no loop of the session holds it. */
  findId(backend: string): string | undefined {
    return this.#parts.models.get(backend)?.id;
  }

  /** Whether a permit is valid; as long as it is, the broker counts all tokens of its answer as spent. */
  get isAnswering(): boolean {
    return this.#open !== undefined;
  }

  /** Resolves when the unused tokens of the last answer are refunded. */
  waitUntilSettled(): Promise<void> {
    return this.#settling;
  }

  /** Ends the answer that runs under one of these revoked consents. */
  async withdrawLeases(consents: readonly number[]): Promise<void> {
    for (const number of consents) this.#takenBack.add(number);
    if (this.#open !== undefined && consents.includes(this.#open.lease)) await this.withdraw();
  }

  /**
   * Withdraws the last permit, so that no answer continues under it. Fails if the worker of the model does not confirm, because the
   * answer may then continue.
   */
  async withdraw(): Promise<Result<void>> {
    const open = this.#open;
    if (open === undefined) return accept(undefined);
    const { nonce } = open.permit;
    const reply = await open.meter.call(Metering.methods.withdraw, { nonce }, { timeoutMs: NEIGHBOUR_MS });
    // A worker whose connection is closed has no permits left.
    if (!reply.ok && reply.code === "timedOut")
      return refuse(`the model does not give its permit back: ${reply.reason}`);
    if (this.#open === open) this.#open = undefined;
    return accept(undefined);
  }

  async #allow(moment: Moment, { name, lease: consent }: Choice): Promise<Result<Permit>> {
    const { broker, models } = this.#parts;
    const model = models.get(name);
    if (model === undefined) return refuse(`no model of backend ${name} is held in this session`);
    const unlogged = await this.#recordUse(moment, name);
    if (unlogged !== undefined) return refuse(unlogged);
    const inference = { ...placeOf(moment), ...getBrokersRow(this.#parts.tables, moment.state), backend: name };
    const reserved = await broker.call(Broker.methods.infer, { inference }, { timeoutMs: NEIGHBOUR_MS });
    if (!reserved.ok) return refuse(`the broker does not answer: ${reserved.reason}`);
    const { lease, mostTokens, exhausted } = reserved.value;
    if (lease.length === 0) return refuse(`used up: ${exhausted}`);
    const permit = { backend: name, id: model.id, nonce: randomBytes(NONCE_BYTES) };
    const params = { nonce: permit.nonce, mostTokens, redactions: this.#listRedactions(name) };
    const allowed = await model.meter.call(Metering.methods.allow, params, { timeoutMs: NEIGHBOUR_MS });
    if (!allowed.ok) {
      // The worker may have received the permit, although its answer did not come. But it sends no request to the model
      // before the gate acknowledges the maximum usage, which the gate does not do now.
      await this.#charge(lease, NOTHING);
      return refuse(`the model of ${name} does not answer: ${allowed.reason}`);
    }
    const open = { permit, meter: model.meter, lease: consent };
    this.#open = open;
    this.#settling = this.#settle(open, lease, moment);
    if (!this.#takenBack.has(consent)) return accept(permit);
    await this.withdraw();
    return refuse(`consent ${consent} was taken back`);
  }

  /**
   * Settles an answer once it has ended. If the worker of the model died, the maximum that the worker reported before
   * it sent its request counts as spent. If the worker had not reported a maximum, it has sent no request, and nothing
   * is spent.
   */
  async #settle({ meter, permit }: Open, lease: Uint8Array, moment: Moment): Promise<void> {
    const { nonce } = permit;
    const asked = this.#acknowledgeUsage(meter, nonce);
    const ended = await meter.call(Metering.methods.ended, { nonce });
    if (this.#open?.permit === permit) this.#open = undefined;
    if (!ended.ok) {
      await this.#charge(lease, await asked);
      return;
    }
    await this.#charge(lease, ended.value.usage);
    await this.#record(permit, moment, ended.value);
  }

  /** Returns the most tokens that the answer may use, once its worker reports them; the worker waits for the acknowledgment. */
  async #acknowledgeUsage(meter: Neighbour, nonce: Uint8Array): Promise<TokenUsage> {
    const asked = await meter.call(Metering.methods.asked, { nonce });
    if (!asked.ok) return NOTHING;
    await meter.call(Metering.methods.noted, { nonce }, { timeoutMs: NEIGHBOUR_MS });
    return asked.value.most;
  }

  async #charge(lease: Uint8Array, { promptTokens, outputTokens }: TokenUsage): Promise<void> {
    const tokens = BigInt(promptTokens) + BigInt(outputTokens);
    const params = { lease, tokens, outputTokens: BigInt(outputTokens) };
    await this.#parts.broker.call(Broker.methods.settleTokens, params, { timeoutMs: NEIGHBOUR_MS });
  }

  /**
   * Records an answer. Without a disk for records, answers are not recorded, just as calls are not; a page can demand
   * records with `log required`.
   */
  async #record(
    { backend, id: model, nonce }: Permit,
    moment: Moment,
    { usage, messages, masked }: EndedAnswer,
  ): Promise<void> {
    // If nothing was requested under a permit, there is no answer to record.
    if (messages.length === 0) return;
    const { audit, session, tables } = this.#parts;
    const place = placeOf(moment);
    const isWithheld = !mayRecord(tables, moment.state.label);
    const recalled = (await this.#parts.recalled?.(place.conversation)) ?? [];
    const told = this.#known.split(place.conversation, messages);
    // Keep only names of redactions of the page: a compromised worker could report any text as a name.
    const redactions = new Set(this.#listRedactions(backend).map(({ name }) => name));
    const known = masked.filter(({ redaction }) => redactions.has(redaction));
    moment.turn.recorded += told.messages.length * MESSAGE_BYTES;
    const entry = {
      which: "inference",
      inference: { session, ...place, model, backend, nonce, usage, ...told, recalled, masked: known, isWithheld },
    } as const;
    const reply = await audit.call(AuditLog.methods.append, { entry }, { timeoutMs: NEIGHBOUR_MS });
    if (reply.ok) this.#known.add(place.conversation, told.messages);
  }

  /**
   * Returns the redactions for a backend. A backend that is not in the tables is not cleared for anything, so all
   * redactions apply to it.
   */
  #listRedactions(name: string): readonly Redaction[] {
    const { tables } = this.#parts;
    const backend = tables.backends.find((one) => one.name === name);
    return backend === undefined ? tables.redactions : listRedactions(tables, backend);
  }

  /**
   * Records an answer before it begins, if the page states `log required`. Returns `undefined` if the answer may begin,
   * otherwise the reason.
   */
  async #recordUse({ conversation, turn }: Moment, name: string): Promise<string | undefined> {
    const { tables, audit, policyDigest } = this.#parts;
    if (tables.backends.find((one) => one.name === name)?.logRequired !== true) return undefined;
    const durable = await canRecord(audit, policyDigest);
    if (!durable.ok) return durable.reason;
    if (!durable.value) return `${name} answers only where its use is recorded durably, and nothing is`;
    const detail = `${name} in turn ${turn.number} of ${conversation}`;
    const reply = await recordEvent(this.#parts, "answer", detail);
    return reply.ok ? undefined : `the audit does not record the use of ${name}: ${reply.reason}`;
  }

  /**
   * Asks a person to open a backend. Fails if the person does not approve this, or if it cannot be recorded. The
   * backend stays open for the conversation while the conversation keeps its label, for an hour at most.
   */
  async #pass(moment: Moment, { name, mode }: Choice): Promise<Result<number>> {
    const { tables, broker } = this.#parts;
    const { state, turn } = moment;
    const args = renderCanonicalJson({ backend: name });
    const denied = turn.findEarlierDenial(STEP, args);
    if (denied !== undefined) return refuse(denied);
    if (turn.questions >= MAX_QUESTIONS) return refuse(`${MAX_QUESTIONS} questions were asked in this turn`);
    const asked = await this.#ask(moment, name, mode, args);
    if (!asked.ok) return asked;
    turn.questions += 1;
    if (asked.value.isDenied === true) turn.deny(STEP, args);
    if (asked.value.refusal !== undefined) return refuse(asked.value.refusal.error);
    const number = await remember(broker, buildLease(tables, state, placeOf(moment), name));
    if (number === 0) return refuse("the broker keeps no lease of it");
    const reply = await recordEvent(
      this.#parts,
      "model opened",
      `${name}: ${describeApproval(asked.value)}, consent ${number}`,
    );
    if (reply.ok) return accept(number);
    await takeBackConsent(broker, number);
    return refuse(`the audit does not record it: ${reply.reason}`);
  }

  #ask(moment: Moment, name: string, mode: BackendStatus["mode"], args: string): Promise<Result<Asked>> {
    const { tables, session } = this.#parts;
    const asking = {
      tool: STEP,
      arguments: args,
      sentence: describeLease(tables, moment.state, name),
      mode,
      rule: `the models of session ${session}`,
    };
    const place = { ...placeOf(moment), ...getBrokersRow(tables, moment.state) };
    return askOnce(this.#parts, asking, place, moment.turn.signal);
  }
}

function placeOf({ conversation, turn }: Moment) {
  return { conversation, turn: turn.number };
}

function nameOf({ backends }: IndexedTables, index: number): string {
  return backends[index]?.name ?? "";
}

function buildLease(
  tables: IndexedTables,
  state: Conversation,
  place: { readonly conversation: string; readonly turn: number },
  name: string,
): Consent {
  return {
    ...buildConsentPlace(tables, state, place),
    tool: STEP,
    alike: name,
    words: describeLease(tables, state, name),
  };
}

function describeLease({ lattice }: IndexedTables, { label }: Conversation, name: string): string {
  return `backend ${name} hears all of this conversation while it is at ${formatLabel(lattice, label)}, for an hour at most`;
}
