// A ledger for tests: the test sets its clock, and decides when it commits.

import type { Result } from "../../../lib/result/result.ts";
import type { Decision } from "../deciding.ts";
import type { Ledger, World } from "../ledger.ts";
import type { Submission } from "../tasks.ts";

export const BEGIN = 1_800_000_000_000;
export const DAY = 86_400_000;

/** A world whose clock stands still until a test moves it. `turn` ends a turn of the event loop. */
export class TestWorld implements World {
  time: number = BEGIN;
  #later: (() => void)[] = [];
  #seed = 1;

  now = (): number => this.time;

  random = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(this.#seed++);

  later = (run: () => void): void => {
    this.#later.push(run);
  };

  turn(): void {
    for (const run of this.#later.splice(0)) run();
  }
}

/** Carries out one decision, in a commit of its own. */
export async function decideNow<T>(ledger: Ledger, world: TestWorld, decision: Decision<T>): Promise<Result<T>> {
  const decided = ledger.decide(decision);
  world.turn();
  return decided;
}

/** Carries out a decision that must be accepted, and returns its value. */
export async function expectDecided<T>(ledger: Ledger, world: TestWorld, decision: Decision<T>): Promise<T> {
  const decided = await decideNow(ledger, world, decision);
  if (!decided.ok) throw new Error(`refused: ${decided.reason}`);
  return decided.value;
}

/** Returns 32 bytes that begin with a number, as a digest for tests. */
export function digest(number: number): Uint8Array {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}

/** Returns a submission with the given differences. */
export function submission(differences: Partial<Submission> = {}): Submission {
  return {
    session: "operator",
    name: "mend",
    request: "mend the tests",
    requester: "alice",
    ingress: "console",
    policy: digest(7),
    label: Buffer.from("internal"),
    model: "local",
    harness: "1",
    deadline: BigInt(BEGIN + DAY),
    ...differences,
  };
}
