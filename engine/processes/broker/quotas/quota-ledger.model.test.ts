// Compares the ledger with a naive ledger that adds up all past events for every question, in any order of calls, settlements and time.
import fc from "fast-check";
import { test } from "vitest";
import type { Quota } from "../../../lib/wire/generated/policy.ts";
import { HOUR_MS } from "./hour.ts";
import { type Happened, NaiveLedger, type Now, stillSpent } from "./testing/naive.ts";
import { ledgerWith, TOOLS } from "./testing/quota-ledgers.ts";

const CATEGORIES: Record<keyof typeof TOOLS, readonly string[]> = {
  read: ["readOnly"],
  write: ["mutatingLocal"],
  remove: ["destructive"],
  pay: ["payments", "destructive"],
};

const anyScope = fc.constantFrom<Quota["scope"]>("call", "turn", "conversation", "task", "login", "hour");
const anyQuota: fc.Arbitrary<Quota> = fc
  .tuple(
    fc.constantFrom("calls", "prompts", "bytes", ...new Set(Object.values(CATEGORIES).flat())),
    fc.nat(5),
    anyScope,
  )
  .map(([what, amount, scope]) => {
    const counted = what === "calls" || what === "prompts" || what === "bytes";
    return { amount: BigInt(amount), unit: counted ? what : "category", name: counted ? "" : what, scope, rule: 0 };
  });

type Step =
  | { readonly kind: "reserve"; readonly call: Call }
  | { readonly kind: "settle"; readonly lease: number; readonly ran: boolean }
  | { readonly kind: "wait"; readonly ms: number };

interface Call {
  readonly conversation: string;
  readonly turn: number;
  readonly tool: keyof typeof TOOLS;
  readonly prompts: number;
  readonly argumentBytes: number;
}

const anyCall: fc.Arbitrary<Call> = fc.record({
  conversation: fc.constantFrom("c", "d"),
  turn: fc.nat(2),
  tool: fc.constantFrom("read", "write", "remove", "pay"),
  prompts: fc.nat(2),
  argumentBytes: fc.nat(3),
});
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: anyCall.map((call) => ({ kind: "reserve" as const, call })) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("settle" as const), lease: fc.nat(12), ran: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc
      .oneof(fc.nat(2500), fc.integer({ min: HOUR_MS - 2000, max: HOUR_MS + 2000 }), fc.nat(HOUR_MS))
      .map((ms) => ({ kind: "wait" as const, ms })),
  },
);

/** Runs the same steps on the ledger and on the naive ledger; throws if they disagree or a quota is overspent. */
class Both {
  readonly #quotas: readonly Quota[];
  readonly #book: ReturnType<typeof ledgerWith>;
  readonly #naive: NaiveLedger;
  readonly #leases: { readonly lease: Uint8Array; readonly event: Happened }[] = [];

  constructor(quotas: readonly Quota[]) {
    this.#quotas = quotas;
    this.#book = ledgerWith(quotas);
    this.#naive = new NaiveLedger(quotas);
  }

  take(step: Step): void {
    if (step.kind === "wait") this.#book.world.ms += step.ms;
    else if (step.kind === "settle") this.#settle(step.lease, step.ran);
    else this.#reserve(step.call);
    for (const conversation of ["c", "d"]) {
      for (const turn of [0, 1, 2]) this.#compare({ conversation, turn, at: this.#book.world.ms });
    }
  }

  #reserve(call: Call): void {
    const reserved = this.#book.reserve({ ...call, tool: TOOLS[call.tool] });
    const at = this.#book.world.ms;
    const event = this.#naive.reserve({ ...call, at, categories: CATEGORIES[call.tool] });
    const lease = "lease" in reserved ? reserved.lease : undefined;
    if ((lease === undefined) !== (event === undefined)) throw new Error(`they disagree about ${JSON.stringify(call)}`);
    if (lease !== undefined && event !== undefined) this.#leases.push({ lease, event });
  }

  #settle(index: number, ran: boolean): void {
    const known = this.#leases[index];
    const settled = this.#book.ledger.settle(known?.lease ?? new Uint8Array(16), ran ? "ran" : "notRun");
    if (settled !== this.#naive.settle(known?.event, ran)) throw new Error(`they disagree about lease ${index}`);
  }

  #compare(now: Now): void {
    for (const { quota, spent } of this.#book.standings(now.conversation, now.turn)) {
      const naive = this.#naive.spent(quota, now);
      if (spent !== BigInt(naive)) throw new Error(`${quota.scope}: ${spent} and ${naive}`);
      if (spent > quota.amount) throw new Error(`${quota.scope}: ${spent} of ${quota.amount} are spent`);
    }
  }

  /** Returns whether a quota per hour is exceeded in an hour that ends with a call. This check does not group events by second. */
  anyHourOverspent(): boolean {
    const { events } = this.#naive;
    return this.#quotas
      .filter(({ scope }) => scope === "hour")
      .some((quota) =>
        events.some(({ at }) => {
          const inHour = events.filter((event) => event.at <= at && event.at > at - HOUR_MS);
          return inHour.reduce((sum, event) => sum + stillSpent(quota, event), 0) > Number(quota.amount);
        }),
      );
  }
}

test("grants, counts and returns units as a naive ledger does, and never overspends", () => {
  const anyQuotas = fc.array(anyQuota, { maxLength: 5 });
  fc.assert(
    fc.property(anyQuotas, fc.array(anyStep, { maxLength: 40 }), (quotas, steps) => {
      const both = new Both(quotas);
      for (const step of steps) both.take(step);
      return !both.anyHourOverspent();
    }),
    { numRuns: 1000 },
  );
});
