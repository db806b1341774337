// The people who may log in, as a page states them.

export interface Principal {
  readonly name: string;
  /** Public keys as OpenSSH writes them, without comments. */
  readonly keys: readonly string[];
  /** Empty if there is none. */
  readonly passphrase: string;
}

export type Login = "none" | "key" | "passphrase";

export interface Session {
  readonly name: string;
  readonly kind: string;
  /** Names; empty if anybody may open it. */
  readonly principals: readonly string[];
  readonly login: Login;
  /** 0 if the page does not state it. */
  readonly loginMs: bigint;
}

export interface People {
  readonly principals: readonly Principal[];
  readonly sessions: readonly Session[];
}
