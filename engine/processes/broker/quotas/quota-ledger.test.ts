import { expect, test } from "vitest";
import { PUBLIC } from "../../../lib/policy/testing/sample.ts";
import type { Quota } from "../../../lib/wire/generated/policy.ts";
import { MAX_CONVERSATIONS, MAX_OPEN_TURNS } from "./books.ts";
import { explainUnkept } from "./charge.ts";
import { MAX_OPEN_LEASES } from "./leases.ts";
import type { ChargeRequest, ReservationResult } from "./quota-ledger.ts";
import { ledgerWith, quota, TOOLS } from "./testing/quota-ledgers.ts";

function lease(reserved: ReservationResult): Uint8Array {
  if ("lease" in reserved) return reserved.lease;
  throw new Error(reserved.exhausted);
}

function granted(reserved: ReservationResult): boolean {
  return "lease" in reserved;
}

function spentOf({ standings }: ReturnType<typeof ledgerWith>): readonly bigint[] {
  return standings("c", 1).map(({ spent }) => spent);
}

test("a call without quotas gets a lease, and the lease has 16 bytes", () => {
  const { reserve } = ledgerWith([]);
  expect(lease(reserve()).length).toBe(16);
});

// For each scope of a quota, lists calls that follow a first call. Calls under `fresh` get units of their own, for
// example because they are in another turn. Calls under `spent` share the units of the first call.
const SCOPES: Record<
  string,
  { readonly fresh: readonly Partial<ChargeRequest>[]; readonly spent: readonly Partial<ChargeRequest>[] }
> = {
  call: { fresh: [{}, { turn: 2 }, { conversation: "d" }], spent: [] },
  turn: { fresh: [{ turn: 2 }, { conversation: "d" }], spent: [{}] },
  conversation: { fresh: [{ conversation: "d" }], spent: [{}, { turn: 2 }] },
  task: { fresh: [{ conversation: "d" }], spent: [{}, { turn: 2 }] },
  login: { fresh: [], spent: [{}, { turn: 2 }, { conversation: "d" }] },
  hour: { fresh: [], spent: [{}, { turn: 2 }, { conversation: "d" }] },
};
for (const [scope, { fresh, spent }] of Object.entries(SCOPES)) {
  test(`a quota of one call per ${scope} allows one call in each ${scope}`, () => {
    for (const second of [...fresh, ...spent]) {
      const { reserve } = ledgerWith([quota(`1 calls per ${scope}`)]);
      expect(granted(reserve())).toBe(true);
      expect([second, granted(reserve(second))]).toEqual([second, fresh.includes(second)]);
    }
  });
}

test("a quota on a category counts its calls and those of its subcategories", () => {
  const book = ledgerWith([quota("2 destructive per login"), quota("1 payments per login")]);
  expect(granted(book.reserve({ tool: TOOLS.read }))).toBe(true);
  expect(granted(book.reserve({ tool: TOOLS.write }))).toBe(true);
  expect(spentOf(book)).toEqual([0n, 0n]);
  expect(granted(book.reserve({ tool: TOOLS.pay }))).toBe(true);
  expect(spentOf(book)).toEqual([1n, 1n]);
  expect(granted(book.reserve({ tool: TOOLS.remove }))).toBe(true);
  expect(spentOf(book)).toEqual([2n, 1n]);
  expect(granted(book.reserve({ tool: TOOLS.remove }))).toBe(false);
});

test("charges all enclosing scopes, or none if the quota of one scope is exhausted", () => {
  const quotas = ["5 calls per turn", "5 calls per conversation", "1 prompts per login", "5 calls per hour"].map(quota);
  const book = ledgerWith(quotas);
  book.reserve({ prompts: 1 });
  expect(spentOf(book)).toEqual([1n, 1n, 1n, 1n]);
  expect(granted(book.reserve({ prompts: 1 }))).toBe(false);
  expect(spentOf(book)).toEqual([1n, 1n, 1n, 1n]);
  expect(granted(book.reserve())).toBe(true);
});

test("the description of an exhausted quota names its rule, the spent units and the time at which units return", () => {
  const { reserve } = ledgerWith([quota("1 calls per turn")]);
  reserve();
  expect(reserve()).toEqual({ exhausted: "1 calls per turn (a.cap:1:1): 1 of 1 spent; the next turn has its own" });
});

test("the description of an exhausted quota states the needed units if a call needs more than one unit", () => {
  const { reserve } = ledgerWith([quota("2 prompts per call")]);
  const exhausted = "2 prompts per call (a.cap:1:1): 0 of 2 spent, and this call needs 3; each call has its own";
  expect(reserve({ prompts: 3 })).toEqual({ exhausted });
});

test("a quota of zero denies the calls that it counts, and no others", () => {
  const { reserve } = ledgerWith([quota("0 destructive per login")]);
  expect(granted(reserve({ tool: TOOLS.pay }))).toBe(false);
  expect(granted(reserve({ tool: TOOLS.read }))).toBe(true);
});

test("settling a call that did not run returns its units, except those of a quota of prompts", () => {
  const quotas = ["calls per turn", "calls per login", "readOnly per login", "calls per hour", "prompts per login"];
  const book = ledgerWith(quotas.map((words) => quota(`5 ${words}`)));
  const held = lease(book.reserve({ prompts: 2 }));
  expect(spentOf(book)).toEqual([1n, 1n, 1n, 1n, 2n]);
  expect(book.ledger.settle(held, "notRun")).toBe(true);
  expect(spentOf(book)).toEqual([0n, 0n, 0n, 0n, 2n]);
});

test("a call that ran stays charged, and so does a call that is never settled", () => {
  const book = ledgerWith([quota("2 calls per login")]);
  expect(book.ledger.settle(lease(book.reserve()), "ran")).toBe(true);
  book.reserve();
  expect(granted(book.reserve())).toBe(false);
});

test("a lease can be settled only once", () => {
  const book = ledgerWith([quota("5 calls per login")]);
  book.reserve();
  const held = lease(book.reserve());
  expect(book.ledger.settle(held, "notRun")).toBe(true);
  expect(book.ledger.settle(held, "notRun")).toBe(false);
  expect(spentOf(book)).toEqual([1n]);
});

test("refuses to settle bytes that are not a lease", () => {
  const book = ledgerWith([quota("5 calls per login")]);
  book.reserve();
  for (const bytes of [new Uint8Array(0), new Uint8Array(16), new Uint8Array(1000)]) {
    expect(book.ledger.settle(bytes, "notRun")).toBe(false);
  }
  expect(spentOf(book)).toEqual([1n]);
});

test("a lease returns its units to the turn of its call, however late the lease is settled", () => {
  const book = ledgerWith([quota("1 calls per turn")]);
  const held = lease(book.reserve());
  book.reserve({ turn: 2 });
  expect(book.ledger.settle(held, "notRun")).toBe(true);
  expect(granted(book.reserve({ turn: 2 }))).toBe(false);
  expect(granted(book.reserve({ turn: 1 }))).toBe(true);
});

test("drops the oldest unsettled leases, which stay charged", () => {
  const book = ledgerWith([quota("1000 calls per login")]);
  const held = Array.from({ length: MAX_OPEN_LEASES + 1 }, () => lease(book.reserve()));
  const [oldest = new Uint8Array(0), second = new Uint8Array(0)] = held;
  expect(book.ledger.settle(oldest, "notRun")).toBe(false);
  expect(book.ledger.settle(second, "notRun")).toBe(true);
  expect(spentOf(book)).toEqual([BigInt(MAX_OPEN_LEASES)]);
});

test("stops counting the oldest turn beyond the limit of turns, and then refuses the calls of this turn", () => {
  const { reserve } = ledgerWith([quota("1 calls per turn")]);
  for (let turn = 0; turn <= MAX_OPEN_TURNS; turn += 1) expect(granted(reserve({ turn }))).toBe(true);
  expect(reserve({ turn: 0 })).toEqual({ exhausted: "turn 0 is over" });
  expect(granted(reserve({ turn: 1 }))).toBe(false);
  expect(granted(reserve({ turn: MAX_OPEN_TURNS + 1 }))).toBe(true);
});

test("refuses a call of a turn that is older than all counted turns, even if the turn was never counted", () => {
  const { reserve } = ledgerWith([]);
  for (let turn = 10; turn < 10 + MAX_OPEN_TURNS; turn += 1) reserve({ turn });
  expect(reserve({ turn: 3 })).toEqual({ exhausted: "turn 3 is over" });
});

test("the number of conversations is bounded, and no conversation's counters are reset", () => {
  const { reserve } = ledgerWith([quota("1 calls per conversation")]);
  for (let index = 0; index < MAX_CONVERSATIONS; index += 1) reserve({ conversation: `c${index}` });
  expect(reserve({ conversation: "one more" })).toEqual({
    exhausted: `more than ${MAX_CONVERSATIONS} conversations since the machine started`,
  });
  expect(granted(reserve({ conversation: "c0" }))).toBe(false);
});

test("reading the counters charges no units and opens no conversation", () => {
  const { standings, reserve } = ledgerWith([quota("1 calls per conversation"), quota("3 prompts per hour")]);
  for (let index = 0; index <= MAX_CONVERSATIONS; index += 1) standings(`looked at ${index}`, index);
  expect(standings("c", 1).map(({ spent, resets }) => [spent, resets])).toEqual([
    [0n, "the next conversation has its own"],
    [0n, "each counts for an hour"],
  ]);
  expect(granted(reserve())).toBe(true);
});

const UNITS: readonly Quota["unit"][] = ["calls", "tokens", "prompts", "bytes", "category", "money"];
const ALL_SCOPES: readonly Quota["scope"][] = [
  "call",
  "turn",
  "conversation",
  "task",
  "login",
  "principal",
  "hour",
  "day",
];

test("refuses a money quota if a paid backend has no price in the quota's currency, or if no backend has a price in this currency", () => {
  const given = { kind: "remote", clearance: PUBLIC, quotas: [], logRequired: false } as const;
  const backend = (name: string, local: boolean, currency: string) =>
    ({ ...given, name, local, currency, inputMicros: 1n, outputMicros: 1n, embedder: "", contextTokens: 0 }) as const;
  const [far, near, other] = [backend("far", false, "EUR"), backend("near", true, ""), backend("other", false, "USD")];
  const money = { ...quota("1 calls per call"), unit: "money", name: "EUR" } as const;
  expect([[far], [far, near], [far, other], [near], []].map((backends) => explainUnkept(money, backends))).toEqual([
    undefined,
    undefined,
    "the backend other has no price in EUR",
    "no backend is paid in EUR",
    "no backend is paid in EUR",
  ]);
  for (const unit of UNITS.filter((one) => one !== "money")) {
    for (const scope of ALL_SCOPES)
      expect(explainUnkept({ ...quota("1 calls per call"), unit, scope }, [])).toBeUndefined();
  }
});
