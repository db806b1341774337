import { expect, test } from "vitest";
import type { Quota } from "../../../lib/wire/generated/policy.ts";
import { describeQuota, formatAmount, resetWords } from "./describe-quota.ts";

const quota = (amount: bigint, unit: Quota["unit"], name = ""): Quota => ({
  ...{ amount, unit, name, scope: "day", rule: 0 },
});

test("renders a quota as the page writes it", () => {
  expect(describeQuota(quota(6n, "calls"))).toBe("6 calls per day");
  expect(describeQuota(quota(6n, "category", "payments"))).toBe("6 payments per day");
  expect(describeQuota(quota(5_000_000n, "money", "USD"))).toBe("5.00 USD per day");
});

test("shows an amount of money with all of its decimals, but at least two decimals", () => {
  const amounts = [0n, 10_000n, 1_234_567n, 1_500_000n, 1_230_000n, 1n];
  expect(amounts.map((amount) => formatAmount(quota(0n, "money", "USD"), amount))).toEqual([
    ...["0.00", "0.01", "1.234567", "1.50", "1.23", "0.000001"],
  ]);
  expect(formatAmount(quota(0n, "tokens"), 1_234_567n)).toBe("1234567");
});

test("states when units return, by the quota's scope", () => {
  const scopes = ["call", "turn", "conversation", "task", "login", "principal", "hour", "day"] as const;
  expect(scopes.map((scope) => resetWords(scope))).toEqual([
    "each call has its own",
    "the next turn has its own",
    "the next conversation has its own",
    "the next task has its own",
    "until the machine starts again",
    "it does not come back",
    "each counts for an hour",
    "each counts for a day",
  ]);
  expect(resetWords("login", "login")).toBe("the next login has its own");
});
