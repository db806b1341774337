// Stores who is logged in to a session with a login, from the proof until the logout.

import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { Door, PassphraseRequest } from "./door.ts";

const NOT_NEEDED = "nobody logs in to this session: its page does not ask for it";

export class Login {
  readonly #door: Door | undefined;
  #principal = "";

  /** Creates the login of a session. Without a `door`, any person at the console may use the session. */
  constructor(door: Door | undefined) {
    this.#door = door;
  }

  /** Returns whether charges and questions are refused because nobody is logged in. */
  get isLocked(): boolean {
    return this.#door !== undefined && this.#principal === "";
  }

  /** Principal who is logged in; empty if none is. */
  get principal(): string {
    return this.#principal;
  }

  /**
   * Issues the challenge of a login. Fails if somebody is logged in. `principal` is required if the session needs the
   * name before the proof.
   */
  issueChallenge(validForMs: number, principal = ""): Result<PassphraseRequest> {
    if (this.#door === undefined) return refuse(NOT_NEEDED);
    if (this.#principal !== "") return refuse(`${this.#principal} is logged in`);
    return this.#door.issueChallenge(principal, "open", validForMs);
  }

  /** Issues the challenge for a new passphrase of the principal who is logged in. Fails if nobody is logged in. */
  issueRenewalChallenge(validForMs: number): Result<PassphraseRequest> {
    if (this.#door === undefined) return refuse(NOT_NEEDED);
    if (this.#principal === "") return refuse("nobody is logged in");
    return this.#door.issueChallenge(this.#principal, "renew", validForMs);
  }

  /** Verifies a proof and invalidates the challenge. Returns who has logged in, or why nobody has. */
  prove(nonce: Uint8Array, signature: string): Result<string> {
    if (this.#door === undefined) return refuse(NOT_NEEDED);
    if (this.#principal !== "") return refuse(`${this.#principal} is logged in`);
    const proof = this.#door.prove(nonce, signature);
    if (!proof.ok) return refuse(`${proof.fault}: ${proof.reason}`);
    this.#principal = proof.principal;
    return accept(proof.principal);
  }

  /**
   * Verifies a proof and invalidates the challenge. Returns why the passphrase is unchanged, or `undefined` if it has
   * changed.
   */
  renew(nonce: Uint8Array, signature: string): string | undefined {
    if (this.#door === undefined) return NOT_NEEDED;
    if (this.#principal === "") return "nobody is logged in";
    const proof = this.#door.prove(nonce, signature);
    if (!proof.ok) return `${proof.fault}: ${proof.reason}`;
    return proof.principal === this.#principal ? undefined : `it is ${this.#principal} who is logged in`;
  }

  logOut(): void {
    this.#principal = "";
  }
}
