// Who is in a session that its page closes. The broker finds out who it is; here it only says whether anything may happen.
import type { Row } from "../../lib/wire/generated/policy.ts";

/** The seat at the console, from a login to its end. */
export class Seat {
  /** Whether the page closes the session until somebody has logged in. */
  readonly hasLogin: boolean;
  #principal = "";
  #last = "";
  #taken = new AbortController();

  /** `login`: how the page has the session opened; without a row nobody can. */
  constructor(login: Row["login"] | undefined) {
    this.hasLogin = login !== "none";
  }

  /** Nothing is heard, answered or called. */
  get isLocked(): boolean {
    return this.hasLogin && this.#principal === "";
  }

  /** Who is logged in; empty where nobody is, or has to be. */
  get principal(): string {
    return this.#principal;
  }

  /** Who was logged in last; empty before the first login. */
  get last(): string {
    return this.#last;
  }

  /** Fires when the one who is logged in is not any more. */
  get signal(): AbortSignal {
    return this.#taken.signal;
  }

  take(principal: string): void {
    this.#principal = principal;
    this.#last = principal;
    this.#taken = new AbortController();
  }

  leave(): void {
    this.#principal = "";
    this.#taken.abort();
  }
}
