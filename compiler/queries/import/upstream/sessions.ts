// Defines the people who may log in, and the sessions, as a page states them.

export interface Principal {
  readonly name: string;
  /** Public keys as OpenSSH writes them, without comments. */
  readonly keys: readonly string[];
  /** Name of the credential with the passphrase; empty if the principal has none. */
  readonly passphrase: string;
}

export type Login = "none" | "key" | "passphrase";

export interface Session {
  readonly name: string;
  readonly kind: string;
  /** Names of the principals who may open the session; empty if any person may open it. */
  readonly principals: readonly string[];
  readonly login: Login;
  /** Lifetime of a login in milliseconds; 0 if the page does not state it. */
  readonly loginMs: bigint;
}

export interface People {
  readonly principals: readonly Principal[];
  readonly sessions: readonly Session[];
}
