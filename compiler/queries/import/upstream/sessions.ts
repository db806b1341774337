// Defines the principals and sessions as a page states them.

export interface Principal {
  readonly name: string;
  /** Public keys as OpenSSH writes them, without comments. */
  readonly keys: readonly string[];
  /** Empty if the principal has no passphrase. */
  readonly passphrase: string;
}

export type Login = "none" | "key" | "passphrase";

export interface Session {
  readonly name: string;
  readonly kind: string;
  /** Names of the principals who may open the session; empty if anybody may. */
  readonly principals: readonly string[];
  readonly login: Login;
  /** Time limit of a login in milliseconds; 0 if the page does not state one. */
  readonly loginMs: bigint;
}

export interface People {
  readonly principals: readonly Principal[];
  readonly sessions: readonly Session[];
}
