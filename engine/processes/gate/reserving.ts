import type { Conversation, IndexedTables } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Quota } from "../../lib/wire/generated/policy.ts";
import { Broker, type Reservation } from "../../lib/wire/generated/wire.ts";
import { NEIGHBOUR_MS, type Neighbour } from "./ports.ts";

/** Name of a row at the broker; task and phase are empty in the session's own row. */
export interface BrokersRow {
  readonly task: string;
  readonly phase: string;
}

/** Returns the broker's name for the row of a conversation. */
export function getBrokersRow(tables: IndexedTables, conversation: Conversation): BrokersRow {
  const { task = "", phase = "" } = tables.rows[conversation.row] ?? {};
  return { task, phase };
}

/** Charges a call at the broker, and returns the lease of the charge. Fails if nothing was charged. */
export async function reserve(broker: Neighbour, request: Reservation): Promise<Result<Uint8Array>> {
  const reply = await broker.call(Broker.methods.reserve, { request }, { timeoutMs: NEIGHBOUR_MS });
  if (!reply.ok) return refuse(`the broker does not answer: ${reply.reason}`);
  const { lease, exhausted } = reply.value;
  return lease.length === 0 ? refuse(`${SPENT}${exhausted}`) : accept(lease);
}

const SPENT = "used up: ";
/** Maximum number of calls that one reservation reports as run. Further calls are not reported. */
const MOST_RAN = 64;

/**
 * The charges of one session's calls. The report that a call ran changes no count, so it is sent with the next
 * reservation.
 */
export class Charges {
  readonly #broker: Neighbour;
  #ran: Uint8Array[] = [];

  constructor(broker: Neighbour) {
    this.#broker = broker;
  }

  reserve(request: Omit<Reservation, "ran">): Promise<Result<Uint8Array>> {
    const ran = this.#ran;
    this.#ran = [];
    const { conversation, turn, tool, prompts, argumentBytes, task, phase } = request;
    return reserve(this.#broker, { conversation, turn, tool, prompts, argumentBytes, task, phase, ran });
  }

  /** Notes that a charged call ran. A broker that does not get this report counts the lease as spent, so its counts are the same. */
  recordRan(lease: Uint8Array): void {
    if (this.#ran.length < MOST_RAN) this.#ran.push(lease);
  }

  async giveBack(lease: Uint8Array): Promise<void> {
    await this.#broker.call(Broker.methods.settle, { lease, ran: false }, { timeoutMs: NEIGHBOUR_MS });
  }
}

/**
 * Returns the quota for which the broker refused a charge. The refusal names the place of the quota's rule on the page.
 * This place identifies the rule, because each rule has a place of its own. Returns `undefined` if no quota of the row was exhausted.
 */
export function findExhaustedQuota(
  { rows, rules }: IndexedTables,
  { row }: Conversation,
  refusal: string,
): Quota | undefined {
  if (!refusal.startsWith(SPENT)) return undefined;
  return rows[row]?.quotas.find(({ rule }) => refusal.includes(` (${rules[rule]?.place}): `));
}
