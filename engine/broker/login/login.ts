// Who is in a session that its page closes: a principal, from the signature that opened it to the logout. Signatures cannot be
// guessed; they are limited so that nobody fills the log with them.

import type { Checked } from "../../policy/checked.ts";
import { accept, refuse } from "../../policy/checked.ts";
import { canonicalText } from "../../policy/index.ts";
import type { Challenge, Proof, StepUp } from "../step-up/step-up.ts";
import type { World } from "../world.ts";

/** Proofs that may be refused before no more are asked for; each stops to count after a while. */
export const MAX_REFUSED = 5;
export const REFUSED_FOR_MS = 300_000;

/** What is signed for: no tool and no turn, but the step into the session. */
const STEP = { conversation: "", turn: 0, tool: "/login", task: "", phase: "" } as const;
const NOT_NEEDED = "nobody logs in to this session: its page does not ask for it";

export class Login {
  readonly #isNeeded: boolean;
  readonly #session: string;
  readonly #stepUp: StepUp;
  readonly #world: World;
  #principal = "";
  /** When proofs were refused, oldest first. */
  #refused: readonly number[] = [];

  /** `stepUp`: with a namespace of its own. */
  constructor(isNeeded: boolean, session: string, stepUp: StepUp, world: World) {
    this.#isNeeded = isNeeded;
    this.#session = session;
    this.#stepUp = stepUp;
    this.#world = world;
  }

  /** Whether nothing may be charged or asked. */
  get isLocked(): boolean {
    return this.#isNeeded && this.#principal === "";
  }

  /** Who is logged in; empty where nobody is. */
  get principal(): string {
    return this.#principal;
  }

  challenge(validForMs: number): Checked<Challenge> {
    if (!this.#isNeeded) return refuse(NOT_NEEDED);
    if (this.#principal !== "") return refuse(`${this.#principal} is logged in`);
    const free = this.#freeInMs();
    if (free > 0) return refuse(`${MAX_REFUSED} proofs were refused; the next is heard in ${Math.ceil(free / 1000)} s`);
    return this.#stepUp.challenge({ ...STEP, arguments: canonicalText({ session: this.#session }), validForMs });
  }

  /** Spends the challenge. Who logged in, or why nobody did. */
  prove(nonce: Uint8Array, signature: string): Checked<string> {
    if (this.#principal !== "") return refuse(`${this.#principal} is logged in`);
    const proof: Proof = this.#freeInMs() > 0 ? TOO_OFTEN : this.#stepUp.prove(nonce, signature);
    if (!proof.ok) {
      if (proof !== TOO_OFTEN) this.#refused = [...this.#refused, this.#world.now()].slice(-MAX_REFUSED);
      return refuse(`${proof.fault}: ${proof.reason}`);
    }
    this.#principal = proof.principal;
    this.#refused = [];
    return accept(proof.principal);
  }

  logout(): void {
    this.#principal = "";
  }

  /** Milliseconds until another proof is heard. */
  #freeInMs(): number {
    const [oldest = 0] = this.#refused;
    return this.#refused.length < MAX_REFUSED ? 0 : Math.max(0, oldest + REFUSED_FOR_MS - this.#world.now());
  }
}

const TOO_OFTEN: Proof = { ok: false, fault: "dropped", reason: "too many proofs were refused before it" };
