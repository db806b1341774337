import type { Quota } from "../../../lib/wire/generated/policy.ts";

/** Returns a quota as the page has it: "6 calls per turn", "5.00 USD per day". */
export function describeQuota(quota: Quota): string {
  const { amount, unit, name, scope } = quota;
  return `${formatAmount(quota, amount)} ${unit === "category" || unit === "money" ? name : unit} per ${scope}`;
}

const MICROS = 1_000_000n;

/** Renders an amount of a quota. Money is counted in millionths, and shown with two to six decimals, without further zeros. */
export function formatAmount({ unit }: Quota, amount: bigint): string {
  if (unit !== "money") return `${amount}`;
  const digits = `${amount % MICROS}`.padStart(6, "0").replace(/0{1,4}$/, "");
  return `${amount / MICROS}.${digits}`;
}

/**
 * Returns, as text, when units of a quota become available again. For a quota per hour, `hour.ts` computes the exact
 * time.
 */
export function resetWords(scope: Quota["scope"], access: "login" | "open" = "open"): string {
  switch (scope) {
    case "call":
      return "each call has its own";
    case "turn":
    case "conversation":
    case "task":
      return `the next ${scope} has its own`;
    case "login":
      return access === "login" ? "the next login has its own" : "until the machine starts again";
    case "principal":
      return "it does not come back";
    case "hour":
    case "day":
      return `each counts for ${scope === "hour" ? "an hour" : "a day"}`;
  }
}
