// Counts quotas and remembered consent with the broker's own code under the replayed policy. Allowed calls are charged,
// and refused calls are not. Usage before the beginning of a log is unknown, and is reported as unknown.

import {
  type Conversation,
  computeCost,
  deriveConsentClass,
  type GatedDecision,
  type IndexedTables,
  renderCanonicalJson,
} from "../../../engine/lib/policy/index.ts";
import type { Quota, Row, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import type { Consent } from "../../../engine/lib/wire/generated/wire.ts";
import { Consents } from "../../../engine/processes/broker/consents/consents.ts";
import { QuotaLedger } from "../../../engine/processes/broker/quotas/index.ts";
import { MAX_QUESTIONS } from "../../../engine/processes/gate/turn.ts";
import type { Clock } from "./clock.ts";
import type { LastingCounts } from "./lasting-counts.ts";

/** Turn in which a call is counted. */
export interface Turn {
  readonly conversation: string;
  readonly turn: number;
}

/** A charge: a call, or a question without a call. */
export interface Charge extends Turn {
  readonly row: Row;
  readonly tool: Tool | undefined;
  readonly prompts: number;
  readonly argumentBytes: number;
}

type Charged =
  | { readonly kind: "charged" }
  | { readonly kind: "exhausted"; readonly reason: string; readonly rule: number | undefined }
  | { readonly kind: "unknown"; readonly because: string };

/**
 * The clock of a log, and the counts that continue after a restart of the machine (`lasting`). `isWhole` states that
 * the log contains all records since the start of the machine.
 */
interface CountingParts {
  readonly clock: Clock;
  readonly lasting: LastingCounts;
  readonly isWhole: boolean;
}

/** Quota counts and remembered consents of one session, from one start of the machine to the next. */
export class Counting {
  readonly #tables: IndexedTables;
  readonly #clock: Clock;
  readonly #lasting: LastingCounts;
  readonly #ledger: QuotaLedger;
  readonly #consents: Consents;
  /** Whether the log contains all records since the start of the machine. */
  readonly #isWhole: boolean;
  #principal = "";
  /** The turn in which the log begins. This turn may have begun before the first record. */
  #cut: string | undefined;
  #doubtedTurn: string | undefined;
  #doubt: string | undefined;
  #questions = { turn: "", count: 0 };
  /** Maps the numbers of consents in the records to the numbers in this replay. */
  readonly #numbers = new Map<number, number>();

  constructor(tables: IndexedTables, session: string, { clock, lasting, isWhole }: CountingParts) {
    this.#tables = tables;
    this.#clock = clock;
    this.#lasting = lasting;
    this.#isWhole = isWhole;
    const own = tables.rows.find((row) => row.session === session && row.task === "" && row.worker === "");
    const hasLogin = own !== undefined && own.login !== "none";
    const everybody = own?.principals.flatMap((index) => tables.principals[index]?.name ?? []) ?? [];
    const listPeople = () => (hasLogin ? [this.#principal] : everybody);
    const world = { now: clock.boot, wall: clock.wall, random: createTokenSource() };
    this.#ledger = new QuotaLedger(tables, world, {
      counts: lasting.counts,
      name: session,
      hasLogin,
      get people() {
        return listPeople();
      },
    });
    this.#consents = new Consents(tables, world);
  }

  startLogin(principal: string): void {
    this.#principal = principal;
    this.#ledger.beginLogin();
  }

  /**
   * Charges a call to all quotas that count it, or to none of them if the call would exceed one of them. If the call
   * did not run, refunds everything except the prompts.
   */
  charge(charge: Charge, outcome: "ran" | "notRun"): Charged {
    this.#see(charge);
    const counted = this.#ledger.openCounted(charge.conversation, charge.turn, charge.row.quotas);
    const short = counted.ok
      ? counted.value.find(({ quota, tally }) => tally.spent + this.#computeUnits(quota, charge) > quota.amount)
      : undefined;
    const reserved = this.#ledger.reserve(charge);
    if ("exhausted" in reserved)
      return { kind: "exhausted", reason: `used up: ${reserved.exhausted}`, rule: short?.quota.rule };
    this.#ledger.settle(reserved.lease, outcome);
    if (charge.prompts > 0) this.#ask(charge);
    return this.#findDoubt(charge) ?? { kind: "charged" };
  }

  /**
   * Returns the reason why the gate may not ask in this turn: the default limit of questions is reached. Returns
   * `undefined` if the gate may still ask.
   */
  explainQuestionLimit({ row, ...place }: Turn & { readonly row: Row }): string | undefined {
    const own = row.quotas.some(({ unit, scope }) => unit === "prompts" && scope === "turn");
    if (own || this.#questions.turn !== makeTurnKey(place) || this.#questions.count < MAX_QUESTIONS) return undefined;
    return `${MAX_QUESTIONS} questions were asked in this turn; a page may set another number`;
  }

  /** Returns whether a remembered consent covers the call. */
  isRemembered(place: Turn, conversation: Conversation, call: GatedDecision): boolean {
    const consent = this.#createConsent(place, conversation, call);
    return consent !== undefined && this.#consents.recall(consent) !== 0;
  }

  /**
   * Stores a person's consent to the call and to all calls that it covers. `number` is the number of the consent in the
   * record.
   */
  remember(place: Turn, conversation: Conversation, call: GatedDecision, number: number): void {
    const consent = this.#createConsent(place, conversation, call);
    const row = this.#tables.rows[conversation.row];
    const tool = this.#tables.tools[call.tool];
    if (consent === undefined || row === undefined || tool === undefined) return;
    const kept = this.#consents.remember(consent, row, tool);
    if (kept.ok) this.#numbers.set(number, kept.value);
  }

  takeBack(number: number): void {
    const own = this.#numbers.get(number);
    if (own !== undefined) this.#consents.takeBack(own);
  }

  /** Records that a call could not be decided, so it is unknown whether quotas count it. */
  markDoubt(place: Turn, because: string): void {
    this.#see(place);
    this.#doubtedTurn = makeTurnKey(place);
    this.#doubt ??= because;
    this.#lasting.doubt ??= because;
  }

  #see(place: Turn): void {
    this.#cut ??= makeTurnKey(place);
  }

  #ask(place: Turn): void {
    const turn = makeTurnKey(place);
    this.#questions = { turn, count: this.#questions.turn === turn ? this.#questions.count + 1 : 1 };
  }

  #computeUnits(quota: Quota, { tool, prompts, argumentBytes }: Charge): bigint {
    if (tool === undefined) return quota.unit === "prompts" ? BigInt(prompts) : 0n;
    return computeCost(this.#tables, quota, { tool, prompts, arguments: argumentBytes });
  }

  #findDoubt(charge: Charge): Charged | undefined {
    for (const quota of charge.row.quotas) {
      const because = this.#computeUnits(quota, charge) === 0n ? undefined : this.#explainScopeDoubt(quota, charge);
      if (because === undefined) continue;
      const line = this.#tables.rules[quota.rule]?.words ?? "";
      return { kind: "unknown", because: `how much of "${line}" was used is not on record: ${because}` };
    }
    return undefined;
  }

  #explainScopeDoubt({ scope }: Quota, place: Turn): string | undefined {
    switch (scope) {
      case "call":
        return undefined;
      case "turn":
        if (!this.#isWhole && this.#cut === makeTurnKey(place)) return "the log may begin within the turn";
        return this.#doubtedTurn === makeTurnKey(place) ? this.#doubt : undefined;
      case "conversation":
      case "task":
      case "login":
      case "hour":
        return this.#isWhole ? this.#doubt : "the log does not go back to the machine's start";
      case "day":
        if (!this.#clock.isWallKnown) return "the record has no time of day";
        return this.#lasting.isWhole ? this.#lasting.doubt : "the log does not begin with its first record";
      case "principal":
        return this.#lasting.isWhole ? this.#lasting.doubt : "the log does not begin with its first record";
    }
  }

  #createConsent(place: Turn, conversation: Conversation, call: GatedDecision): Consent | undefined {
    const truths = deriveConsentClass(this.#tables, conversation, call);
    const { task = "", phase = "" } = this.#tables.rows[conversation.row] ?? {};
    const tool = this.#tables.tools[call.tool]?.name;
    if (truths === undefined || tool === undefined) return undefined;
    const { confidentiality, integrity, compartments } = conversation.label;
    const alike = renderCanonicalJson([...truths]);
    return { ...place, task, phase, tool, alike, confidentiality, integrity, compartments, words: "" };
  }
}

function makeTurnKey({ conversation, turn }: Turn): string {
  return `${turn} ${conversation}`;
}

/** Returns a source of distinct tokens. The tokens need not be secret, because nobody sees the leases of a replay. */
function createTokenSource(): (bytes: number) => Uint8Array {
  let count = 0;
  return (bytes) => {
    count += 1;
    const token = Buffer.alloc(bytes);
    token.writeUIntBE(count, bytes - 6, 6);
    return token;
  };
}
