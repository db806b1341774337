// Counts the quotas of one session. Every scope that encloses a call is charged, all at once or none. Checking and
// charging happen in one synchronous step, so that two calls can never spend the same unit. A lease that is never
// settled stays spent, because the effect of its call is unknown. The counter of a rule counts the calls in all rows
// that have the rule.

import { computeCost, type IndexedTables } from "../../../lib/policy/index.ts";
import { accept, type Result } from "../../../lib/result/result.ts";
import type { Quota, Row, Tool } from "../../../lib/wire/generated/policy.ts";
import type { World } from "../world.ts";
import { Books, type EnclosingPages } from "./books.ts";
import { isGivenBack, isLasting } from "./charge.ts";
import { describeQuota, formatAmount, resetWords } from "./describe-quota.ts";
import { HourLog } from "./hour.ts";
import { combineTallies, type LastingCountsOptions } from "./lasting.ts";
import { Leases } from "./leases.ts";
import { Counter, type Tally } from "./tally.ts";

/** A call for which the gate requests a charge. */
export interface ChargeRequest {
  readonly conversation: string;
  readonly turn: number;
  /** Row whose quotas are charged: the row of the session, or of a task and phase of the session. */
  readonly row: Row;
  /** The called tool; absent for a question that does not belong to a call. */
  readonly tool: Tool | undefined;
  readonly prompts: number;
  /** Bytes of the canonical arguments in UTF-8. */
  readonly argumentBytes: number;
}

/** A lease of 16 bytes, or a description of the exhausted quota. */
export type ReservationResult = { readonly lease: Uint8Array } | { readonly exhausted: string };

/** Usage of a quota. */
export interface QuotaStatus {
  readonly quota: Quota;
  readonly spent: bigint;
  readonly resets: string;
}

/** A quota with its tally at this moment. */
export interface CountedQuota {
  readonly quota: Quota;
  readonly tally: Tally;
}

interface Charge extends CountedQuota {
  readonly units: bigint;
}

export class QuotaLedger {
  readonly #tables: IndexedTables;
  readonly #world: World;
  readonly #lasting: LastingCountsOptions;
  readonly #books = new Books();
  readonly #hours = new Map<number, HourLog>();
  /** Open leases; each is bound to the counters of its session, conversation, turn and tool. */
  readonly #leases: Leases<readonly Charge[]>;

  constructor(tables: IndexedTables, world: World, lasting: LastingCountsOptions) {
    this.#tables = tables;
    this.#world = world;
    this.#lasting = lasting;
    this.#leases = new Leases(world.random);
  }

  reserve(asked: ChargeRequest): ReservationResult {
    const pages = this.#books.open(asked.conversation, asked.turn);
    if (!pages.ok) return { exhausted: pages.reason };
    const charges = this.#computeCharges(asked, pages.value);
    const short = charges.find(({ tally, units, quota }) => tally.spent + units > quota.amount);
    if (short !== undefined) return { exhausted: describeExhausted(this.#tables, short, short.units) };
    for (const { tally, units } of charges) tally.add(units);
    const fault = this.keep(charges);
    if (fault === undefined) return { lease: this.#leases.issue(charges) };
    for (const { tally, units } of charges) tally.giveBack(units);
    return { exhausted: fault };
  }

  /** Writes lasting counts to the disk, if there are any. Returns why the write failed, or `undefined`. */
  keep(counted: readonly CountedQuota[]): string | undefined {
    const { counts, missing } = this.#lasting;
    const lasting = counted.find(({ quota }) => isLasting(quota));
    if (lasting === undefined) return undefined;
    const fault = counts === undefined ? missing : counts.save();
    return fault === undefined ? undefined : `${describeQuota(lasting.quota)}: ${fault}`;
  }

  /**
   * Settles a lease; returns false if the lease does not exist or was settled before. If the call did not run, all
   * charges but prompts are refunded.
   */
  settle(lease: Uint8Array, outcome: "ran" | "notRun"): boolean {
    const charges = this.#leases.take(lease);
    if (charges === undefined) return false;
    for (const { quota, tally, units } of outcome === "ran" ? [] : charges) {
      if (isGivenBack(quota)) tally.giveBack(units);
    }
    // If the refund cannot be written, the units remain spent after a restart of the machine.
    if (outcome === "notRun") this.keep(charges);
    return true;
  }

  /** Begins a login: counts per login start from 0. */
  beginLogin(): void {
    this.#books.beginLogin();
  }

  listStandings(
    conversation: string,
    turn: number,
    quotas: readonly Quota[],
    people = this.#lasting.people,
  ): readonly QuotaStatus[] {
    const pages = this.#books.look(conversation, turn);
    const now = this.#world.now();
    return quotas.map((quota) => {
      const { spent, resets } = this.#tallyOf(quota, pages, now, people);
      return { quota, spent, resets };
    });
  }

  /** Returns the tallies of these quotas for a turn; fails if the turn is over or there are too many conversations. */
  openCounted(
    conversation: string,
    turn: number,
    quotas: readonly Quota[],
    people = this.#lasting.people,
  ): Result<readonly CountedQuota[]> {
    const pages = this.#books.open(conversation, turn);
    if (!pages.ok) return pages;
    const now = this.#world.now();
    return accept(quotas.map((quota) => ({ quota, tally: this.#tallyOf(quota, pages.value, now, people) })));
  }

  #computeCharges(asked: ChargeRequest, pages: EnclosingPages): readonly Charge[] {
    const now = this.#world.now();
    const { people } = this.#lasting;
    return asked.row.quotas
      .map((quota) => ({
        quota,
        tally: this.#tallyOf(quota, pages, now, people),
        units: this.#computeUnits(quota, asked),
      }))
      .filter(({ units }) => units > 0n);
  }

  #computeUnits(quota: Quota, { tool, prompts, argumentBytes }: ChargeRequest): bigint {
    if (tool === undefined) return quota.unit === "prompts" ? BigInt(prompts) : 0n;
    return computeCost(this.#tables, quota, { tool, prompts, arguments: argumentBytes });
  }

  #tallyOf(quota: Quota, pages: EnclosingPages, now: number, people: readonly string[]): Tally {
    const resets = resetWords(quota.scope, this.#lasting.hasLogin ? "login" : "open");
    switch (quota.scope) {
      case "call":
        return new Counter(resets);
      case "turn":
        return pages.turn.ensureCounter(quota.rule, resets);
      case "conversation":
      case "task":
        return pages.conversation.ensureCounter(quota.rule, resets);
      case "hour":
        return this.#ensureHourLog(quota.rule).getTallyAt(now);
      case "login":
        return pages.login.ensureCounter(quota.rule, resets);
      case "principal":
      case "day":
        return this.#findLastingTally(quota, people) ?? new Counter(`not counted: ${this.#lasting.missing}`);
    }
  }

  /**
   * Returns a tally that outlasts the run, or `undefined` if there are no counts on the disk. Its key is the same in
   * every build of the page, so a changed amount does not reset the tally.
   */
  #findLastingTally({ scope, rule, unit, name }: Quota, people: readonly string[]): Tally | undefined {
    const { counts, name: session } = this.#lasting;
    const line = this.#tables.rules[rule]?.id ?? "";
    const owner = line.split("/", 1)[0] ?? "";
    const makeKey = (whose: string) => JSON.stringify([scope, whose, owner, unit, name]);
    if (scope === "day") return counts?.getDayTally(makeKey(session));
    const whose = people.length === 0 ? [`nobody in ${session}`] : people;
    return counts && combineTallies(whose.map((one) => counts.getTotalTally(makeKey(one))));
  }

  #ensureHourLog(rule: number): HourLog {
    const log = this.#hours.get(rule) ?? new HourLog();
    this.#hours.set(rule, log);
    return log;
  }
}

/** Returns a description of the exhausted quota. `units` is the number of requested units. */
export function describeExhausted({ rules }: IndexedTables, { quota, tally }: CountedQuota, units: bigint): string {
  const place = rules[quota.rule]?.place ?? "";
  const needs = units > 1n ? `, and this call needs ${units}` : "";
  const [spent, all] = [formatAmount(quota, tally.spent), formatAmount(quota, quota.amount)];
  return `${describeQuota(quota)} (${place}): ${spent} of ${all} spent${needs}; ${tally.resets}`;
}
