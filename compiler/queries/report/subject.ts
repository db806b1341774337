import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Origins, Policy } from "../../phases/policy/index.ts";
import type { DeadCell } from "../../phases/prove/index.ts";
import type { Activity, VisibleTools } from "../activity/index.ts";
import type { ChangeKind, Direction, Place } from "../diff/index.ts";

/** Subject of a report: a page without errors, and facts about it from other modules. */
export interface Subject {
  /** Name of the page's own file, without folders: the report does not depend on where the file is. */
  readonly file: string;
  /** `capc 0.1.0` */
  readonly madeBy: string;
  readonly policy: Policy;
  readonly origins: Origins;
  readonly model: Model;
  readonly tables: IndexedTables;
  /** Processes in start order; empty if no image can be built from the page yet. */
  readonly processes: readonly ProcessFacts[];
  readonly proofs: ProofFacts;
  /** Statements of inherited assertions, by name. */
  readonly inherited: ReadonlyMap<string, string>;
  /** Permissions that no conversation can use, by indexes of the tables. */
  readonly dead: readonly DeadCell[];
  /** Changes since another page; `undefined` without a comparison. */
  readonly changes: Changes | undefined;
  /** Summary of the machine's audit log; `undefined` without a log. */
  readonly audit: AuditFacts | undefined;
}

/** `verified`: under an audit key that was noted elsewhere. `in order`: under the key that the log names itself. */
export type Trust = "verified" | "in order" | "not in order";

/** A summary of an audit log, with the result of its verification. */
export interface AuditFacts {
  /** Name of the log, without folders. */
  readonly log: string;
  readonly activity: Activity;
  readonly verification: string;
  readonly trust: Trust;
  /** Number of records that were written under other policy tables than those of the page. */
  readonly foreign: number;
  /** Number of records that a span of time leaves out, because they have no time of day. */
  readonly timeless: number;
  readonly visible: readonly VisibleTools[];
}

export interface ProcessFacts {
  readonly name: string;
  readonly role: string;
  readonly uid: number;
  /** Memory limit in bytes, enforced by the kernel. */
  readonly memoryBytes: bigint;
  /** Size limit of its directory on the data disk in bytes, enforced by the kernel; 0 if it has none, or limits itself. */
  readonly diskBytes: bigint;
  /** `stays dead`, `started again 5 times in 300 s` */
  readonly restart: string;
  readonly holds: readonly HeldCapability[];
  /** Files, directories and keys that it receives at its start. */
  readonly handed: readonly string[];
}

interface HeldCapability {
  readonly interfaceName: string;
  /** Name of the process that serves it; `init` is not a child process. */
  readonly provider: string;
  /** `file:line:column` of the line that grants it. */
  readonly origin: string;
}

/** The result of the prover, in the form of `capc prove --json`. */
export interface ProofFacts {
  readonly policy: string;
  readonly assertions: readonly ProvenAssertion[];
  readonly waived: readonly WaiverFacts[];
  readonly prompts: readonly PromptFacts[];
  readonly dead: readonly DeadFacts[];
  readonly loosened: readonly LoosenedFacts[];
}

/** One assertion and its verdict. */
export interface ProvenAssertion {
  /** Assertion as the page writes it, or the name of an inherited one. */
  readonly assertion: string;
  /** Origin: the page's own, or inherited, about conversations or about the structure of the image. */
  readonly of: "page" | "conversations" | "image";
  /** Place as file:line:column; null if no line of the page states it. */
  readonly at: string | null;
  readonly verdict: "proved" | "refuted" | "undetermined";
  /** Sentence that states what holds and under which premises, what is wrong, or why neither was found. */
  readonly sentence: string;
  /** Words of the releases that a proof depends on. */
  readonly releases: readonly string[];
  /** Paths by grants and plans to the same effect; an assertion about direct calls does not count these. */
  readonly uncounted: readonly string[];
  /** Tools in `outboundNet` that are not a way out, because no service behind them has a network. */
  readonly offline: readonly string[];
  /** Whether the page has no tool and no backend that the assertion is about. */
  readonly isVacuous: boolean;
  /** Size of a proof about conversations; null if there is none. */
  readonly size: { readonly states: number; readonly labels: number } | null;
  /** Steps of a counterexample, one per line. */
  readonly story: readonly string[];
}

/** An inherited assertion that the page takes back. */
export interface WaiverFacts {
  readonly assertion: string;
  /** null means in every session. */
  readonly session: string | null;
  readonly because: string;
}

/** Maximum number of questions that one conversation may ask people. */
export interface PromptFacts {
  /** A session, for conversations outside of tasks, or a task of a session. */
  readonly place: string;
  /** Number without and with quotas on questions, as text, or "unbounded". */
  readonly wanted: string;
  readonly asked: string;
  /** Lines that limit the number of questions, or the tool that can cause any number of them. */
  readonly by: readonly string[];
  /** Quotas that count questions there. */
  readonly quotas: readonly string[];
}

/** A permission that no conversation can use. */
export interface DeadFacts {
  readonly place: string;
  readonly tool: string;
  readonly why: string;
}

/**
 * A line that forbids tools or requires a signature for them, but does not hold for some of them because looser lines
 * take precedence.
 */
export interface LoosenedFacts {
  /** A session, a task, a phase or a worker. */
  readonly place: string;
  readonly line: string;
  readonly by: readonly string[];
  /** file:line:column of the first line that takes precedence. */
  readonly at: string;
  readonly tools: readonly string[];
  /** An example call that the stricter line would have stopped. */
  readonly shown: string;
  /** Reason that the page gives for it; null if it gives none. */
  readonly because: string | null;
}

/** Changes in meaning since an older system, as `capc diff` reports them. */
export interface Changes {
  /** The older system, as the person named it. */
  readonly before: string;
  /** Numbers of changes: `1 widened, 0 moved, 2 narrowed`. */
  readonly counts: string;
  /** Widened first, then moved and renamed, then narrowed. */
  readonly told: readonly ToldChange[];
  /** Cells of the new system with another decision. */
  readonly cells: readonly { readonly place: Place; readonly tool: string; readonly direction: Direction }[];
  readonly notCompared: readonly string[];
  /** Reason why a change may be missing; `undefined` if none is. */
  readonly unseen: string | undefined;
}

interface ToldChange {
  readonly kind: ChangeKind;
  /** Whether the change certainly gives more authority, or possibly. */
  readonly widens: boolean;
  readonly where: readonly string[];
  readonly before: string;
  readonly after: string;
  /** Limits and other properties of a new thing. */
  readonly details: readonly string[];
  /** Example calls. */
  readonly shownBy: readonly string[];
  readonly lines: readonly { readonly words: string; readonly place: string }[];
  readonly because: readonly string[];
}
