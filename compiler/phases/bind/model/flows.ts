import type { Missed, Schedule } from "../../../../engine/lib/schedule/index.ts";
import type {
  IngressNode,
  RedactionNode,
  Reference,
  ReleaseNode,
  WaiveNode,
  Words,
} from "../../../../lang/tree/index.ts";
import type { Service } from "./interfaces.ts";
import type { BoundLabel } from "./lattice.ts";
import type { BoundPattern } from "./lines.ts";
import type { Session } from "./sessions.ts";
import type { Gate, Subject, Task } from "./tasks.ts";

export const INGRESS_SOURCES = ["console", "web", "chat", "webhook", "mail", "timer", "file"] as const;
/** Origin of the text that begins or continues a conversation. */
type IngressSource = (typeof INGRESS_SOURCES)[number];

export interface Ingress {
  readonly name: string;
  readonly source: IngressSource;
  /** Address of the source; for a timer, its cron expression. */
  readonly address: string | undefined;
  /** When a timer runs; `undefined` for other sources. */
  readonly timer: BoundTimer | undefined;
  readonly into: Subject;
  readonly label: BoundLabel;
  readonly node: IngressNode;
}

export interface BoundTimer {
  readonly schedule: Schedule;
  /** Message with which each run begins its conversation. */
  readonly says: string;
  readonly missed: Missed;
}

/** Text that is masked in a conversation before a backend reads it, if the text's label may not flow to the backend's clearance. */
export interface Redaction {
  readonly name: string;
  readonly label: BoundLabel;
  readonly patterns: readonly Words[];
  readonly fields: readonly RedactedField[];
  readonly node: RedactionNode;
}

/** A field of the results of a tool, or of the arguments of its calls. */
export interface RedactedField {
  readonly of: "result" | "arguments";
  readonly service: Service;
  /** `bank.history` */
  readonly tool: string;
  readonly method: string;
  /** Names of nested members, joined by `.`, with the outermost first. */
  readonly field: string;
  readonly node: Reference;
}

/**
 * Ruling 14: lets the arguments of a call flow to one sink, if a person who sees them in full approves or signs this
 * call. The label of the conversation does not change.
 */
export interface Release {
  readonly act: "declassify" | "endorse";
  /** Pattern for one method, either of one service or of all services of an interface. */
  readonly pattern: BoundPattern;
  readonly from: BoundLabel;
  readonly to: BoundLabel;
  readonly by: Gate;
  /** Session in which the release holds, with the sessions that extend it; `undefined` means every session. */
  readonly session: Session | undefined;
  /** Task during which the release holds; `undefined` means that it always holds. */
  readonly task: Task | undefined;
  readonly words: string;
  readonly node: ReleaseNode;
}

/** Names of the assertions that the standard library makes for every page; `waive` uses these names. */
export const INHERITED = [
  "model-isolated",
  "anonymous-asks",
  "guest-local",
  "no-self-widening",
  "remote-clearance",
  "audited",
  "trifecta",
] as const;
export type InheritedAssertion = (typeof INHERITED)[number];

export interface Waiver {
  readonly assertion: InheritedAssertion;
  /** Session that needs no proof of the assertion; `undefined` means all sessions. */
  readonly session: Session | undefined;
  readonly reason: string;
  readonly node: WaiveNode;
}
