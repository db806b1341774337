import type { Conversation, IndexedTables } from "../../../lib/policy/index.ts";
import type { Consent } from "../../../lib/wire/generated/wire.ts";
import { makeEnding } from "../ending.ts";
import type { Parking } from "../parking.ts";
import type { Neighbour } from "../ports.ts";
import { buildConsent, recall } from "../remembering.ts";
import { describeRule } from "../sentences.ts";
import { MAX_QUESTIONS } from "../turn.ts";
import type { Judged } from "./judged.ts";
import type { Proposed } from "./proposed.ts";
import type { Recordable } from "./recordable.ts";
import { NO_WORD, type Reached, Stopped } from "./stopped.ts";

interface AnsweringParts {
  readonly tables: IndexedTables;
  readonly broker: Neighbour;
  readonly parking: Parking;
}

/** Call that needs no person, has a remembered consent, or can be put to a person who is present. */
export class Answerable {
  declare protected readonly stage: "answerable";
  readonly recordable: Recordable;
  /** Number of the remembered consent that the call runs under; 0 if there is none. */
  readonly consent: number;
  /** Consent that an approval of the call may give for later calls; `undefined` if the approval holds for this call alone. */
  readonly wider: Consent | undefined;

  private constructor(recordable: Recordable, consent: number, wider: Consent | undefined) {
    this.recordable = recordable;
    this.consent = consent;
    this.wider = wider;
  }

  /** Returns whether a person has to be asked. */
  get isAsked(): boolean {
    return this.recordable.judged.decision.gate !== "auto" && this.consent === 0;
  }

  static find(parts: AnsweringParts, recordable: Recordable): Answerable | Stopped | Promise<Answerable | Stopped> {
    const { decision } = recordable.judged;
    if (decision.gate === "auto") return new Answerable(recordable, 0, undefined);
    return Answerable.#recall(parts, recordable);
  }

  /** Finds a person's consent that covers the call, or finds out whether a person may be asked. */
  static async #recall(parts: AnsweringParts, recordable: Recordable): Promise<Answerable | Stopped> {
    const { tables, broker } = parts;
    const { proposed, tool, decision } = recordable.judged;
    const { conversation, turn, caution } = proposed.proposal;
    // A person is asked about each call with `caution`, whatever consents are remembered.
    if (caution === "cautious") return Answerable.#findSomebody(parts, recordable, undefined);
    const place = { conversation, turn: turn.number };
    const wider = buildConsent({ tables, state: proposed.before, place }, tool, decision);
    const recalled = wider && (await recall(broker, wider));
    if (recalled?.ok === false)
      return new Stopped(makeEnding("refusedByPolicy", recalled.reason), recordable.reach(NO_WORD));
    const consent = recalled?.value ?? 0;
    proposed.withdrawal.runUnder(consent);
    const stop = proposed.findStop();
    if (stop !== undefined) return new Stopped(stop, recordable.reach({ ...NO_WORD, consent }));
    if (consent !== 0) return new Answerable(recordable, consent, wider);
    return Answerable.#findSomebody(parts, recordable, wider);
  }

  /** Returns the progress of the call up to this stage, at which no person was asked about it yet. */
  reach(): Reached {
    const { consent } = this;
    return this.recordable.reach(consent === 0 ? NO_WORD : { ...NO_WORD, consent });
  }

  /** Checks that a person is present, and was not asked too often. */
  static #findSomebody(
    parts: AnsweringParts,
    recordable: Recordable,
    wider: Consent | undefined,
  ): Answerable | Stopped {
    const { proposed } = recordable.judged;
    const refusal = proposed.before.unattended
      ? park(parts, recordable.judged)
      : refuseTooManyQuestions(parts.tables, proposed);
    return refusal === undefined
      ? new Answerable(recordable, 0, wider)
      : new Stopped(makeEnding("refusedByPolicy", refusal), recordable.reach(NO_WORD));
  }
}

/** Parks the call if nobody is present to be asked, and returns why it does not run. A call outside a task was already refused. */
function park({ tables, parking }: AnsweringParts, { proposed, decision, tool }: Judged): string {
  const { call, origin, conversation, turn, caution } = proposed.proposal;
  // A parked call would lose its `caution`: when a person resumes it, it is decided like an ordinary call. So a
  // cautious call is not parked.
  if (caution === "cautious") return "nobody is there to be asked";
  const waiting = { id: call.id, name: tool.name, arguments: decision.arguments };
  const rule = describeRule(tables, decision.rule, decision.gate);
  const parked = parking.park({ conversation, turn: turn.number, label: proposed.label, call: waiting, origin, rule });
  const where = parked.ok ? `it waits for a person as number ${parked.value} (/parked)` : parked.reason;
  return `nobody is there to be asked: ${where}`;
}

function refuseTooManyQuestions(tables: IndexedTables, { proposal, before }: Proposed): string | undefined {
  if (proposal.turn.questions < MAX_QUESTIONS || hasPromptQuota(tables, before)) return undefined;
  return `${MAX_QUESTIONS} questions were asked in this turn; a page may set another number`;
}

/**
 * Returns whether the page has a quota of prompts per turn. The broker counts this quota, and the quota replaces the
 * runtime's own limit.
 */
function hasPromptQuota(tables: IndexedTables, { row }: Conversation): boolean {
  const quotas = tables.rows[row]?.quotas ?? [];
  return quotas.some(({ unit, scope }) => unit === "prompts" && scope === "turn");
}
