import type { Saying } from "../../../lib/wire/generated/conversations.ts";
import { NO_SAYING } from "../saying.ts";
import type { World } from "../store.ts";

export const said = (text: string, more: Partial<Saying> = {}): Saying => ({ ...NO_SAYING, text, ...more });

/** A machine whose clock stands still. */
export const world = (bootId = "0".repeat(32), now = 1000): World => ({ now: () => now, bootId });

/** Fails the test where something was refused. */
export function value<T>(done: { ok: true; value: T } | { ok: false; reason: string }): T {
  if (!done.ok) throw new Error(done.reason);
  return done.value;
}
