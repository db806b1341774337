// Stores at the broker the state with which a conversation is resumed in a later run: its row, its label, its turns. A
// conversation is never resumed below its label: if its recorded label is not certain, it is resumed at the highest
// label.
import {
  type ChosenValues,
  type Conversation,
  computeTopLabel,
  findLabel,
  type IndexedTables,
  join,
  type Label,
  type LabelNames,
  listCompartments,
  openConversation,
  type ParameterValue,
  parseDecimal,
} from "../../lib/policy/index.ts";
import { type ChosenValue, ConversationState } from "../../lib/wire/generated/conversations.ts";
import type { Parameter } from "../../lib/wire/generated/policy.ts";
import { Broker } from "../../lib/wire/generated/wire.ts";
import { decode, encode } from "../../lib/wire/index.ts";
import type { Beginning } from "./beginning.ts";
import { NEIGHBOUR_MS, type Neighbour } from "./ports.ts";
import { getBrokersRow } from "./reserving.ts";

const SCHEMA_VERSION = 1;
/** Maximum bytes that the broker stores for one conversation. */
const MAX_STATE_BYTES = 4096;
const NO_NAMES: LabelNames = { confidentiality: "", integrity: "", compartments: [] };

/** The state with which a conversation is resumed. */
interface Standing {
  readonly conversation: Conversation;
  readonly turn: number;
  /** Whether the state was recorded under these tables. If not, the label is at least the highest label that the session can reach. */
  readonly isRecorded: boolean;
}

export interface KeeperParts extends Beginning {
  readonly policyDigest: Uint8Array;
  readonly broker: Neighbour;
}

export class Keeper {
  readonly #parts: KeeperParts;
  /** States that the broker has acknowledged, by name of the conversation. */
  readonly #acknowledged = new Map<string, Uint8Array>();
  #last: Promise<boolean> = Promise.resolve(true);

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /**
   * Records a raised label before any text that raised it is passed on. Resolves to false if the recorded label may be too low. A
   * conversation without a record needs no record of a raise: it would be resumed at the highest label.
   */
  keep(name: string, conversation: Conversation, turn: number): Promise<boolean> {
    // States are sent one after the other: a lower label that was sent first must not be written last.
    const kept = this.#last.then(() => this.#keepNow(name, conversation, turn));
    this.#last = kept;
    return kept;
  }

  async #keepNow(name: string, conversation: Conversation, turn: number): Promise<boolean> {
    const { broker } = this.#parts;
    const state = this.#encodeState(conversation, turn);
    const before = this.#acknowledged.get(name);
    if (before !== undefined && Buffer.compare(before, state) === 0) return true;
    const reply = await broker.call(Broker.methods.keep, { conversation: name, state }, { timeoutMs: NEIGHBOUR_MS });
    if (reply.ok) this.#acknowledged.set(name, state);
    return reply.ok || (before === undefined && (await this.#isNothingElseKept(name, state)));
  }

  /**
   * Asks the broker, and returns whether it stores no state of the conversation, or exactly this one. The broker may
   * have stored an older state although the gate got no acknowledgement of it.
   */
  async #isNothingElseKept(name: string, state: Uint8Array): Promise<boolean> {
    const { broker } = this.#parts;
    const reply = await broker.call(Broker.methods.kept, { conversation: name }, { timeoutMs: NEIGHBOUR_MS });
    return reply.ok && (reply.value.state.length === 0 || Buffer.compare(reply.value.state, state) === 0);
  }

  /**
   * Records the beginning of a conversation, without waiting for the broker. If this record is lost, the conversation is
   * resumed at the highest label, which is safe.
   */
  keepFirst(name: string, conversation: Conversation, turn: number): void {
    if (!this.#acknowledged.has(name)) void this.keep(name, conversation, turn);
  }

  /**
   * Loads the recorded state of a conversation; returns `undefined` if the broker does not answer, because the state is
   * then unknown.
   */
  async loadStanding(name: string): Promise<Standing | undefined> {
    const { broker } = this.#parts;
    const reply = await broker.call(Broker.methods.kept, { conversation: name }, { timeoutMs: NEIGHBOUR_MS });
    if (!reply.ok) return undefined;
    const { state } = reply.value;
    if (state.length > 0) this.#acknowledged.set(name, state);
    return decodeStanding(this.#parts, state);
  }

  /** Forgets a record after all pending writes; resolves with why the record may still exist, or `undefined` if it does not. */
  forget(name: string): Promise<string | undefined> {
    const forgotten = this.#last.then(async () => {
      const { broker } = this.#parts;
      const reply = await broker.call(Broker.methods.forget, { conversation: name }, { timeoutMs: NEIGHBOUR_MS });
      if (reply.ok) this.#acknowledged.delete(name);
      return reply.ok ? undefined : reply.reason;
    });
    this.#last = forgotten.then(() => true);
    return forgotten;
  }

  #encodeState(conversation: Conversation, turn: number): Uint8Array {
    const { tables, policyDigest } = this.#parts;
    const row = getBrokersRow(tables, conversation);
    const { label } = conversation;
    const parameters = encodeChosen(conversation.parameters);
    const state = { schemaVersion: SCHEMA_VERSION, policyDigest, ...row, label, turn, parameters };
    const named = encode(ConversationState, { ...state, ...getLabelNames(tables, label) });
    return named.length <= MAX_STATE_BYTES ? named : encode(ConversationState, { ...state, ...NO_NAMES });
  }
}

function getLabelNames({ lattice }: IndexedTables, { confidentiality, integrity, compartments }: Label): LabelNames {
  return {
    confidentiality: lattice.confidentiality[confidentiality] ?? "",
    integrity: lattice.integrity[integrity] ?? "",
    compartments: listCompartments(lattice, compartments),
  };
}

/** Returns the values of a task's parameters as they are recorded. */
function encodeChosen(chosen: ChosenValues | undefined): readonly ChosenValue[] {
  return [...(chosen ?? [])].map(([name, value]) => ({ name, value: getWords(value) }));
}

function getWords(value: ParameterValue): string {
  return value.which === "text" ? value.text : value.decimal;
}

/**
 * Returns the recorded values of a task's parameters. Returns `undefined` if one is missing or not of its kind: in this
 * case no value is known.
 */
function decodeChosen(parameters: readonly Parameter[], kept: readonly ChosenValue[]): ChosenValues | undefined {
  const chosen = new Map<string, ParameterValue>();
  for (const { name, kind } of parameters) {
    const value = kept.find((one) => one.name === name)?.value;
    if (value === undefined || (kind !== "text" && parseDecimal(value) === undefined)) return undefined;
    chosen.set(name, kind === "text" ? { which: "text", text: value } : { which: "decimal", decimal: value });
  }
  return parameters.length === 0 ? undefined : chosen;
}

/**
 * Decodes a recorded state; if the bytes have no meaning under these tables, the label is the highest. Returns
 * `undefined` if the tables have no row for the session.
 */
export function decodeStanding(
  { tables, session, policyDigest }: Omit<KeeperParts, "broker">,
  bytes: Uint8Array,
): Standing | undefined {
  const own = openConversation(tables, session);
  if (own === undefined) return undefined;
  const makeUnrecorded = (label: Label, turn: number) => ({ conversation: { ...own, label }, turn, isRecorded: false });
  const read = decode(ConversationState, bytes);
  if (!read.ok || bytes.length === 0 || read.value.schemaVersion !== SCHEMA_VERSION) {
    return makeUnrecorded(computeTopLabel(tables.lattice), read.ok ? read.value.turn : 0);
  }
  const { policyDigest: digest, task, phase, label, turn } = read.value;
  if (Buffer.compare(digest, policyDigest) !== 0) {
    // The state was recorded under other tables, so the conversation may have read data that no tool returns now. So
    // join its recorded label with the highest label that the session can reach now.
    return makeUnrecorded(
      join(computeHighest(tables, session), findLabel(tables.lattice, read.value) ?? computeTopLabel(tables.lattice)),
      turn,
    );
  }
  const at = tables.rows.findIndex(
    (row) => row.session === session && row.task === task && row.phase === phase && row.worker === "",
  );
  const row = tables.rows[at];
  if (row === undefined) return makeUnrecorded(computeTopLabel(tables.lattice), turn);
  const spent = row.quotas.map(() => 0n);
  const parameters = decodeChosen(row.parameters, read.value.parameters);
  const chosen = parameters === undefined ? {} : { parameters };
  const conversation = { ...own, row: at, label: join(row.starts, label), spent, ...chosen };
  return { conversation, turn, isRecorded: true };
}

/**
 * Returns the highest label that a conversation of the session can reach. It joins the initial labels of all rows of
 * the session with the labels of its tools' results.
 */
export function computeHighest({ rows, tools }: IndexedTables, session: string): Label {
  const own = rows.filter((row) => row.session === session);
  const given = tools
    .filter((_, index) => own.some((row) => (row.cells[index] ?? 0) > 0))
    .map(({ result }) => result.high);
  const [first, ...rest] = [...own.map(({ starts }) => starts), ...given];
  return rest.reduce(join, first ?? { confidentiality: 0, integrity: 0, compartments: 0n });
}
