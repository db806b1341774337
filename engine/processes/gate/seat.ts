// The principal in a session that requires a login. The broker verifies the identity; this module only decides whether
// the session is usable.
import type { Row } from "../../lib/wire/generated/policy.ts";

/** State of the login at the console: the person who is logged in, until the login ends. */
export class Seat {
  /** Whether the page requires a login for the session. */
  readonly hasLogin: boolean;
  #principal = "";
  #last = "";
  #taken = new AbortController();

  /** The session needs a login unless `login` is `none`; if it is `undefined`, nobody can open the session. */
  constructor(login: Row["login"] | undefined) {
    this.hasLogin = login !== "none";
  }

  /** Returns whether the session is locked; if it is, no input is passed on, answered or executed. */
  get isLocked(): boolean {
    return this.hasLogin && this.#principal === "";
  }

  /** Principal who is logged in; empty if there is none, or the session has no login. */
  get principal(): string {
    return this.#principal;
  }

  /** Principal who was logged in last; empty before the first login. */
  get last(): string {
    return this.#last;
  }

  /** Fires when the principal is logged out. */
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
