// An action plan: what a client may ask for, and nothing else. The types are what has been checked.

export const VERSION = "0.1";

type Mode = "plan_only" | "execute";

export interface Plan {
  readonly request_id: string;
  readonly session_id?: string;
  readonly version: typeof VERSION;
  readonly mode: Mode;
  readonly actions: readonly Action[];
  readonly confirmation?: { readonly token: string };
}

export type Action = Ping | Exec | ReadFile | WriteFile;

/** Kinds of action that upstream's llm-osd knows beside these. Nothing here does any of them: each is refused by itself. */
export const FOREIGN = [
  "service_control",
  "install_packages",
  "remove_packages",
  "update_system",
  "observe",
  "cgroup_apply",
  "firmware_op",
] as const;

export interface ForeignAction extends Reasoned {
  readonly type: (typeof FOREIGN)[number];
  /** Its fields as they came, for the record. */
  readonly asked: string;
}

/** A plan as a client of upstream's may send it. */
export interface WidePlan extends Omit<Plan, "actions"> {
  readonly actions: readonly (Action | ForeignAction)[];
}

export function isForeign(action: Action | ForeignAction): action is ForeignAction {
  return FOREIGN.some((type) => type === action.type);
}

interface Ping {
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
