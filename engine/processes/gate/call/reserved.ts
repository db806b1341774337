import type { IndexedTables } from "../../../lib/policy/index.ts";
import { makeEnding } from "../ending.ts";
import { type Charges, getBrokersRow } from "../reserving.ts";
import type { Answerable } from "./answerable.ts";
import { describeFacts, type Reached, Stopped, type Word } from "./stopped.ts";

interface ReservingParts {
  readonly tables: IndexedTables;
  readonly charges: Charges;
}

/** A call that the broker has charged to all its quotas, including the prompt that it needs. */
export class Reserved {
  declare protected readonly stage: "reserved";
  readonly answerable: Answerable;
  readonly lease: Uint8Array;

  private constructor(answerable: Answerable, lease: Uint8Array) {
    this.answerable = answerable;
    this.lease = lease;
  }

  static async reserve({ tables, charges }: ReservingParts, answerable: Answerable): Promise<Reserved | Stopped> {
    const { judged } = answerable.recordable;
    const { proposed, tool, decision } = judged;
    const { conversation, turn } = proposed.proposal;
    const { task, phase } = getBrokersRow(tables, proposed.before);
    const prompts = answerable.isAsked ? 1 : 0;
    const argumentBytes = Buffer.byteLength(decision.arguments);
    const request = { conversation, turn: turn.number, tool: tool.name, prompts, argumentBytes, task, phase };
    const lease = await charges.reserve(request);
    if (lease.ok) return new Reserved(answerable, lease.value);
    return new Stopped(makeEnding("refusedByPolicy", lease.reason), answerable.reach());
  }

  /** Returns the progress of the charged call up to this stage, with the lease of its charge. */
  reach(word: Word): Reached {
    const { judged, trail } = this.answerable.recordable;
    const { proposed, decision } = judged;
    return { proposed, facts: describeFacts(proposed, decision, word), trail, lease: this.lease };
  }
}
