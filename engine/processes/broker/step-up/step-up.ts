// Step-up: a principal proves presence by signing one line on another machine, with a key that this machine does not have. The line
// states everything that the principal approves; the gate decides whether the call may run.

import { type Result, refuse } from "../../../lib/result/result.ts";
import type { StepUp as Step } from "../../../lib/wire/generated/wire.ts";
import type { World } from "../world.ts";
import type { KeyRing } from "./principals.ts";
import { type Challenge, type Setting, type SignatureRefusal, SignedLines } from "./signed-line.ts";

/** Principal who was present, or the reason why presence is not proven. */
export type Proof = { readonly ok: true; readonly principal: string } | SignatureRefusal;

/** Issues lines, of a step-up or a login, that one of several people must sign. */
export class StepUp {
  readonly #session: string;
  readonly #ring: KeyRing;
  readonly #lines: SignedLines;

  constructor(setting: Setting, ring: KeyRing, world: World) {
    this.#session = setting.session;
    this.#ring = ring;
    this.#lines = new SignedLines(setting, world);
  }

  issueChallenge(step: Step): Result<Challenge> {
    if (this.#ring.size === 0) return refuse(`session ${this.#session} has no principal with a key`);
    return this.#lines.issueChallenge(step);
  }

  /** Invalidates the challenge of this nonce, whether or not the signature is valid. */
  prove(nonce: Uint8Array, signature: string): Proof {
    const spent = this.#lines.spend(nonce);
    if (!spent.ok) return spent;
    const signer = this.#lines.signerOf(spent.line, signature, [...this.#ring.keys()]);
    // The verifier returns one of the ring's keys, so the ring has a principal for it.
    return signer.ok ? { ok: true, principal: this.#ring.get(signer.key) ?? "" } : signer;
  }
}
