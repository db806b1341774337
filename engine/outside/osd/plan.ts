// Types of a validated action plan, which is everything that a client may request.

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

/** Types of actions that only upstream's llm-osd executes. This daemon refuses each action of these types individually. */
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
  /** Fields of the action as they were received, for the record. */
  readonly asked: string;
}

/** A plan that a client of upstream's llm-osd may send. */
export interface WidePlan extends Omit<Plan, "actions"> {
  readonly actions: readonly (Action | ForeignAction)[];
}

export function isForeign(action: Action | ForeignAction): action is ForeignAction {
  return FOREIGN.some((type) => type === action.type);
}

interface Ping {
  readonly type: "ping";
}

/** Texts for the people who read the audit. An action with a `danger` needs a confirmation. */
interface Reasoned {
  readonly reason: string;
  readonly danger?: string;
  readonly recovery?: string;
}

export interface Exec extends Reasoned {
  readonly type: "exec";
  /** Absolute path of the program, and its arguments; no shell interprets them. */
  readonly argv: readonly [program: string, ...rest: string[]];
  readonly cwd?: string;
  /** Complete environment of the program; it inherits no variable. */
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
  /** Permissions of a new file. */
  readonly mode: number;
}
