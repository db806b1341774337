// Where a conversation stands, kept outside of the machine's run by the broker: its row, its label, its turns. A conversation is
// never taken up below the label that it had: where nothing certain is on record it is at the highest that its session can reach.
import { type Conversation, type IndexedTables, join, type Label, openConversation } from "../policy/index.ts";
import { ConversationState } from "../wire/generated/conversations.ts";
import { Broker } from "../wire/generated/wire.ts";
import { decode, encode } from "../wire/index.ts";
import { NEIGHBOUR_MS, type Neighbour } from "./ports.ts";
import { brokersRow } from "./reserving.ts";

const SCHEMA_VERSION = 1;

/** Where a conversation is taken up. */
export interface Standing {
  readonly conversation: Conversation;
  readonly turn: number;
  /** It is on record under these tables; otherwise it stands at the highest label there is for it. */
  readonly isRecorded: boolean;
}

export interface KeeperParts {
  readonly tables: IndexedTables;
  readonly policyDigest: Uint8Array;
  readonly session: string;
  readonly broker: Neighbour;
}

export class Keeper {
  readonly #parts: KeeperParts;
  /** What the broker has acknowledged, by name of the conversation. */
  readonly #acknowledged = new Map<string, Uint8Array>();
  #last: Promise<boolean> = Promise.resolve(true);

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  /**
   * Before anything that raised a label is told. False: what is on record of the conversation would say less than is true. Where
   * nothing is on record nothing has to be: it would be taken up at the highest label.
   */
  keep(name: string, conversation: Conversation, turn: number): Promise<boolean> {
    // One after the other: a lower label that was sent first must not be written last.
    const kept = this.#last.then(() => this.#keepNow(name, conversation, turn));
    this.#last = kept;
    return kept;
  }

  async #keepNow(name: string, conversation: Conversation, turn: number): Promise<boolean> {
    const { broker } = this.#parts;
    const state = this.#stateOf(conversation, turn);
    const before = this.#acknowledged.get(name);
    if (before !== undefined && Buffer.compare(before, state) === 0) return true;
    const reply = await broker.call(Broker.methods.keep, { conversation: name, state }, { timeoutMs: NEIGHBOUR_MS });
    if (reply.ok) this.#acknowledged.set(name, state);
    return reply.ok || before === undefined;
  }

  /** At a conversation's beginning: without a record it would be taken up at the highest label. Nobody waits for it. */
  keepFirst(name: string, conversation: Conversation, turn: number): void {
    if (!this.#acknowledged.has(name)) void this.keep(name, conversation, turn);
  }

  /** Nothing where the broker does not answer: nobody knows then. */
  async standing(name: string): Promise<Standing | undefined> {
    const { broker } = this.#parts;
    const reply = await broker.call(Broker.methods.kept, { conversation: name }, { timeoutMs: NEIGHBOUR_MS });
    if (!reply.ok) return undefined;
    const { state } = reply.value;
    if (state.length > 0) this.#acknowledged.set(name, state);
    return standingIn(this.#parts, state);
  }

  #stateOf(conversation: Conversation, turn: number): Uint8Array {
    const { tables, policyDigest } = this.#parts;
    const row = brokersRow(tables, conversation);
    const { label } = conversation;
    return encode(ConversationState, { schemaVersion: SCHEMA_VERSION, policyDigest, ...row, label, turn });
  }
}

/** What these bytes say under these tables, or the highest where they say nothing under them. */
export function standingIn(
  { tables, session, policyDigest }: Omit<KeeperParts, "broker">,
  bytes: Uint8Array,
): Standing | undefined {
  const own = openConversation(tables, session);
  if (own === undefined) return undefined;
  const read = decode(ConversationState, bytes);
  const turn = read.ok ? read.value.turn : 0;
  const unknown = { conversation: { ...own, label: highestOf(tables, session) }, turn, isRecorded: false };
  if (!read.ok || bytes.length === 0 || read.value.schemaVersion !== SCHEMA_VERSION) return unknown;
  const { policyDigest: digest, task, phase, label } = read.value;
  const at = tables.rows.findIndex(
    (row) => row.session === session && row.task === task && row.phase === phase && row.worker === "",
  );
  const row = tables.rows[at];
  if (Buffer.compare(digest, policyDigest) !== 0 || row === undefined) return unknown;
  const spent = row.quotas.map(() => 0n);
  return { conversation: { ...own, row: at, label: join(row.starts, label), spent }, turn, isRecorded: true };
}

/** What a conversation of the session can have come to, whatever it did: all that its rows begin with and its tools may give. */
export function highestOf({ rows, tools }: IndexedTables, session: string): Label {
  const own = rows.filter((row) => row.session === session);
  const given = tools
    .filter((_, index) => own.some((row) => (row.cells[index] ?? 0) > 0))
    .map(({ result }) => result.high);
  const [first, ...rest] = [...own.map(({ starts }) => starts), ...given];
  return rest.reduce(join, first ?? { confidentiality: 0, integrity: 0, compartments: 0n });
}
