import type { Quota } from "../../wire/generated/policy.ts";

/** "6 calls per turn", as the page has it. */
export function quotaWords({ amount, unit, name, scope }: Quota): string {
  return `${amount} ${unit === "category" ? name : unit} per ${scope}`;
}

/** When units of a quota come back; for an hour its log says it better. */
export function resetWords(scope: Quota["scope"], hasLogin = false): string {
  switch (scope) {
    case "call":
      return "each call has its own";
    case "turn":
    case "conversation":
    case "task":
      return `the next ${scope} has its own`;
    case "login":
      return hasLogin ? "the next login has its own" : "until the machine starts again";
    case "principal":
      return "it does not come back";
    case "hour":
    case "day":
      return `each counts for ${scope === "hour" ? "an hour" : "a day"}`;
  }
}
