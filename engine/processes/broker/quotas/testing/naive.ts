// A second ledger that only remembers events and adds them up anew for every question. Tests compare it with the real ledger.
import type { Quota } from "../../../../lib/wire/generated/policy.ts";

export interface Happened {
  readonly conversation: string;
  readonly turn: number;
  /** Milliseconds. */
  readonly at: number;
  readonly prompts: number;
  readonly argumentBytes: number;
  /** The tool's category and all its ancestors. */
  readonly categories: readonly string[];
  settled: boolean;
  givenBack: boolean;
}

export type Now = Pick<Happened, "conversation" | "turn" | "at">;

export class NaiveLedger {
  readonly #quotas: readonly Quota[];
  readonly events: Happened[] = [];

  constructor(quotas: readonly Quota[]) {
    this.#quotas = quotas;
  }

  /** Records the call as an event and returns the event, or returns `undefined` if the call would exceed a quota. */
  reserve(call: Omit<Happened, "settled" | "givenBack">): Happened | undefined {
    const event = { ...call, settled: false, givenBack: false };
    const fits = this.#quotas.every((quota) => {
      const units = unitsOf(quota, event);
      return units === 0 || this.spent(quota, call) + units <= Number(quota.amount);
    });
    if (!fits) return undefined;
    this.events.push(event);
    return event;
  }

  settle(event: Happened | undefined, ran: boolean): boolean {
    if (event === undefined || event.settled) return false;
    event.settled = true;
    event.givenBack = !ran;
    return true;
  }

  spent(quota: Quota, now: Now): number {
    const counted = this.events.filter((event) => sameScope(quota, event, now));
    return counted.reduce((sum, event) => sum + stillSpent(quota, event), 0);
  }
}

/** Returns the units of a quota that an event has used and not returned. */
export function stillSpent(quota: Quota, event: Happened): number {
  return event.givenBack && quota.unit !== "prompts" ? 0 : unitsOf(quota, event);
}

function unitsOf(
  quota: Quota,
  { prompts, argumentBytes, categories }: Pick<Happened, "prompts" | "argumentBytes" | "categories">,
): number {
  if (quota.unit === "prompts") return prompts;
  if (quota.unit === "bytes") return argumentBytes;
  return quota.unit === "calls" || categories.includes(quota.name) ? 1 : 0;
}

function sameScope({ scope }: Quota, event: Happened, now: Now): boolean {
  if (scope === "call") return false;
  if (scope === "login") return true;
  if (scope === "hour") return Math.floor(now.at / 1000) - Math.floor(event.at / 1000) <= 3600;
  return event.conversation === now.conversation && (scope !== "turn" || event.turn === now.turn);
}
