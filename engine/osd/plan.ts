// An action plan: what a client may ask for, and nothing else. The types are what has been checked.

export const VERSION = "0.1";

export type Mode = "plan_only" | "execute";

export interface Plan {
  readonly request_id: string;
  readonly session_id?: string;
  readonly version: typeof VERSION;
  readonly mode: Mode;
  readonly actions: readonly Action[];
  readonly confirmation?: { readonly token: string };
}

export type Action = Ping | Exec | ReadFile | WriteFile;

export interface Ping {
  readonly type: "ping";
}

/** Words for the people who read the audit. What says that it is dangerous is confirmed. */
interface Reasoned {
  readonly reason: string;
  readonly danger?: string;
  readonly recovery?: string;
}

export interface Exec extends Reasoned {
  readonly type: "exec";
  /** The program by its absolute path, and its arguments as they are: no shell takes them apart. */
  readonly argv: readonly [program: string, ...rest: string[]];
  readonly cwd?: string;
  /** All of its environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeout_sec: number;
}

export interface ReadFile extends Reasoned {
  readonly type: "read_file";
  readonly path: string;
  readonly max_bytes: number;
}

export interface WriteFile extends Reasoned {
  readonly type: "write_file";
  readonly path: string;
  readonly content: string;
  /** Rights of a new file. */
  readonly mode: number;
}
