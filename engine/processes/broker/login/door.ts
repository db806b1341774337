// Defines how a locked session is opened: with a key on another machine, or with a passphrase whose verifier is on the data disk.
// In both cases the person signs one line; only the signing key differs.

import { renderCanonicalJson } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { Passphrase } from "../../../lib/wire/generated/wire.ts";
import type { Challenge } from "../step-up/signed-line.ts";
import type { Proof, StepUp } from "../step-up/step-up.ts";
import type { World } from "../world.ts";
import { Attempts } from "./attempts.ts";

export interface PassphraseRequest extends Challenge {
  readonly passphrase: Passphrase;
}

export interface Door {
  /**
   * Issues a challenge. `principal` is empty if the person has not named one; `purpose` states whether the passphrase
   * is to be changed.
   */
  readonly issueChallenge: (
    principal: string,
    purpose: "renew" | "open",
    validForMs: number,
  ) => Result<PassphraseRequest>;
  /** Verifies a proof and invalidates the challenge. Refused proofs are counted. */
  readonly prove: (nonce: Uint8Array, signature: string) => Proof;
}

const NOTHING = new Uint8Array(0);
export const NO_PASSPHRASE: Passphrase = { salt: NOTHING, newSalt: NOTHING };

/**
 * Returns the step for which a person signs a challenge: a login to the session, or a change of passphrase. The step
 * belongs to no conversation, turn or task; `tool` is the name of the command.
 */
export function stepInto(session: string, validForMs: number, tool = "/login", principal?: string) {
  const given = renderCanonicalJson(principal === undefined ? { session } : { session, principal });
  return { conversation: "", turn: 0, tool, task: "", phase: "", arguments: given, validForMs };
}

/**
 * Opens a session with a principal's key. The signature identifies the principal; asking for a name first would reveal
 * who has access.
 */
export class KeyDoor implements Door {
  readonly #session: string;
  readonly #stepUp: StepUp;
  readonly #attempts: Attempts;

  /** `stepUp` must verify in the namespace of logins, so that the signature of a call does not open the session. */
  constructor(session: string, stepUp: StepUp, world: World) {
    this.#session = session;
    this.#stepUp = stepUp;
    this.#attempts = new Attempts(world);
  }

  issueChallenge(_principal: string, purpose: "renew" | "open", validForMs: number): Result<PassphraseRequest> {
    if (purpose === "renew") return refuse("this session is opened by a key, which is no passphrase");
    const { refusal } = this.#attempts;
    if (refusal !== undefined) return refuse(refusal);
    const made = this.#stepUp.issueChallenge(stepInto(this.#session, validForMs));
    return made.ok ? accept({ ...made.value, passphrase: NO_PASSPHRASE }) : made;
  }

  prove(nonce: Uint8Array, signature: string): Proof {
    if (this.#attempts.refusal !== undefined) return TOO_OFTEN;
    const proof = this.#stepUp.prove(nonce, signature);
    if (proof.ok) this.#attempts.clear();
    else this.#attempts.recordRefusal();
    return proof;
  }
}

export const TOO_OFTEN: Proof = { ok: false, fault: "dropped", reason: "too many proofs were refused before it" };
