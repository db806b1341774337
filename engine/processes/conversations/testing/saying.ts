import type { Result } from "../../../lib/result/result.ts";
import type { Saying } from "../../../lib/wire/generated/conversations.ts";
import { NO_SAYING } from "../saying.ts";
import type { World } from "../store.ts";

export const makeSaying = (text: string, more: Partial<Saying> = {}): Saying => ({ ...NO_SAYING, text, ...more });

/** Returns a machine whose clock stands still. */
export const makeWorld = (bootId = "0".repeat(32), now = 1000): World => ({ now: () => now, bootId });

/** Returns the value of a result. Fails the test if the result is a refusal. */
export function expectValue<T>(done: Result<T>): T {
  if (!done.ok) throw new Error(done.reason);
  return done.value;
}
