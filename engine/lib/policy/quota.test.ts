import { expect, test } from "vitest";
import type { Quota } from "../wire/generated/policy.ts";
import { type Charge, chargeCall, chargePrompt, computeCost, computeSufficientAmount } from "./quota.ts";
import { CATEGORY, indexed, PUBLIC, row } from "./testing/sample.ts";

const tables = indexed();
const quota = (unit: Quota["unit"], changes: Partial<Quota> = {}): Quota => ({
  ...{ amount: 5n, unit, name: "", scope: "turn", rule: 0 },
  ...changes,
});
const call: Charge = { tool: { category: CATEGORY.payments }, arguments: '{"path":"é"}', prompts: 0 };
const now = (...spent: bigint[]) => ({ row: 0, label: PUBLIC, unattended: false, spent });

test.each<[string, Quota, Partial<Charge>, bigint]>([
  ["one call", quota("calls"), {}, 1n],
  ["no prompts without a question", quota("prompts"), {}, 0n],
  ["each of its prompts", quota("prompts"), { prompts: 2 }, 2n],
  ["the bytes of UTF-8, not its characters", quota("bytes"), {}, 13n],
  ["the number of bytes already counted", quota("bytes"), { arguments: 7 }, 7n],
  ["one of its own category", quota("category", { name: "payments" }), {}, 1n],
  ["one of its parent category", quota("category", { name: "destructive" }), {}, 1n],
  ["zero of another category", quota("category", { name: "readOnly" }), {}, 0n],
  ["no tokens", quota("tokens"), { prompts: 1 }, 0n],
  ["no money", quota("money"), { prompts: 1 }, 0n],
])("a call costs this amount of its quota: %s", (_, counted, charge, cost) => {
  expect(computeCost(tables, counted, { ...call, ...charge })).toBe(cost);
});

test("charges a call to every quota of its row, and names the first one exceeded", () => {
  const quotas = [quota("calls"), quota("bytes", { rule: 1 }), quota("prompts", { amount: 0n })];
  const ledger = chargeCall(tables, row("operator", [2], { quotas }), now(4n, 0n, 0n), { ...call, prompts: 1 });
  expect(ledger).toEqual({ spent: [5n, 13n, 1n], exhausted: quotas[1] });
});

test("a quota per call begins at 0 for each call, and a quota without a counter is exhausted", () => {
  const own = [quota("bytes", { amount: 13n, scope: "call" })];
  expect(chargeCall(tables, row("operator", [2], { quotas: own }), now(9n), call).exhausted).toBeUndefined();
  const uncounted = [quota("calls"), quota("calls", { scope: "day", rule: 1 })];
  expect(chargeCall(tables, row("operator", [2], { quotas: uncounted }), now(0n), call).exhausted).toBe(uncounted[1]);
});

test("a question to a person costs one prompt and nothing else", () => {
  const quotas = [quota("calls"), quota("prompts", { amount: 1n, rule: 1 })];
  const asked = (spent: bigint) => chargePrompt(row("operator", [2], { quotas }), now(5n, spent));
  expect(asked(0n)).toEqual({ spent: [5n, 1n], exhausted: undefined });
  expect(asked(1n)).toEqual({ spent: [5n, 2n], exhausted: quotas[1] });
});

test("the quota that would allow a refused call is the old quota plus the call's cost, or only the cost for a quota per call", () => {
  expect(computeSufficientAmount(tables, quota("bytes"), call)).toBe(18n);
  expect(computeSufficientAmount(tables, quota("bytes", { scope: "call" }), call)).toBe(13n);
  expect(computeSufficientAmount(tables, quota("tokens"), call)).toBeUndefined();
});
