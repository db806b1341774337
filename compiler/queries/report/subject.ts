import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Origins, Policy } from "../../phases/policy/index.ts";
import type { DeadCell } from "../../phases/prove/index.ts";
import type { Activity, VisibleTools } from "../activity/index.ts";
import type { ChangeKind, Direction, Place } from "../diff/index.ts";

/** Subject of a report: a page without errors, and facts about it from other modules. */
export interface Subject {
  /** Name of the page's own file, without folders, so that the report does not depend on the path of the file. */
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
  /** Permissions that no conversation can use, as indexes into the tables. */
  readonly dead: readonly DeadCell[];
  /** Changes since another page; `undefined` without a comparison. */
  readonly changes: Changes | undefined;
  /** Summary of the machine's audit log; `undefined` without a log. */
  readonly audit: AuditFacts | undefined;
}

/**
 * Result of the verification of a log. `verified`: with an audit key that the user gave. `in order`: only with the key
 * that is in the log itself.
 */
export type Trust = "verified" | "in order" | "not in order";

/** A summary of an audit log, with the result of its verification. */
export interface AuditFacts {
  /** Name of the log, without folders. */
  readonly log: string;
  readonly activity: Activity;
  readonly verification: string;
  readonly trust: Trust;
  /** Number of records that were written under other policy tables than the page's tables. */
  readonly foreign: number;
  /** Number of records without a time of day, which are not in the summary because it covers a span of time. */
  readonly timeless: number;
  readonly visible: readonly VisibleTools[];
}

export interface ProcessFacts {
  readonly name: string;
  readonly role: string;
  readonly uid: number;
  /** Memory limit in bytes, enforced by the kernel. */
  readonly memoryBytes: bigint;
  /**
   * Size limit in bytes that the kernel enforces for the process's directory on the data disk. It is 0 if the process
   * has no directory, or if the process itself limits its directory.
   */
  readonly diskBytes: bigint;
  /** Restarts in words, such as `stays dead` or `started again 5 times in 300 s`. */
  readonly restart: string;
  readonly holds: readonly HeldCapability[];
  /** Files, directories and keys that the process receives at its start. */
  readonly handed: readonly string[];
}

interface HeldCapability {
  readonly interfaceName: string;
  /**
   * Name of the process that provides the capability. It can be `init`, although the list of processes does not contain
   * `init`.
   */
  readonly provider: string;
  /** `file:line:column` of the line that grants the capability. */
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
  /** Assertion as the page writes it, or the name of an inherited assertion. */
  readonly assertion: string;
  /**
   * Group of the assertion: assertions of the page, inherited assertions about conversations, or inherited assertions
   * about the structure of the image.
   */
  readonly of: "page" | "conversations" | "image";
  /** Place as file:line:column; null if no line of the page states it. */
  readonly at: string | null;
  readonly verdict: "proved" | "refuted" | "undetermined";
  /**
   * Sentence that states the proved fact with its premises, the counterexample, or the reason why neither was found.
   */
  readonly sentence: string;
  /** Words of the releases that a proof depends on. */
  readonly releases: readonly string[];
  /**
   * Indirect ways to the forbidden effect, through a grant or an action plan. An assertion about direct calls does not
   * cover them, so the proof names them.
   */
  readonly uncounted: readonly string[];
  /** Tools of the category `outboundNet` that cannot send data out, because no service behind them has a network. */
  readonly offline: readonly string[];
  /** Whether the assertion is about tools or backends of which the page has none. */
  readonly isVacuous: boolean;
  /** Whether the assertion holds only because nothing on the page has a label to which the assertion applies. */
  readonly isUnlabelled: boolean;
  /** Whether the assertion ignores flows through releases, so that `releases` do not count. */
  readonly ignoresReleases: boolean;
  /** Size of a proof about conversations; null for any other proof. */
  readonly size: { readonly states: number; readonly labels: number } | null;
  /** Steps of a counterexample, one per line. */
  readonly story: readonly string[];
}

/** An inherited assertion that the page waives. */
export interface WaiverFacts {
  readonly assertion: string;
  /** Session for which the assertion is waived; null means every session. */
  readonly session: string | null;
  readonly because: string;
}

/** Maximum number of questions that one conversation may ask people. */
export interface PromptFacts {
  /** A session (its conversations outside of tasks), or a task of a session. */
  readonly place: string;
  /**
   * The maximum number of questions if no quota limited them, as text, or "unbounded". `asked` is the maximum with the
   * quotas.
   */
  readonly wanted: string;
  readonly asked: string;
  /** Lines that limit the number of questions, or the tool that can cause any number of them. */
  readonly by: readonly string[];
  /** Quotas that count the questions of conversations in `place`. */
  readonly quotas: readonly string[];
}

/** A permission that no conversation can use. */
export interface DeadFacts {
  readonly place: string;
  readonly tool: string;
  readonly why: string;
}

/**
 * A line that forbids tools or requires a signature for them. For some of these tools it has no effect, because looser
 * lines take precedence.
 */
export interface LoosenedFacts {
  /** A session, a task, a phase or a worker. */
  readonly place: string;
  readonly line: string;
  readonly by: readonly string[];
  /** file:line:column of the first line that takes precedence. */
  readonly at: string;
  readonly tools: readonly string[];
  /** An example of a call that the stricter line would have refused or gated. */
  readonly shown: string;
  /** Reason that the page gives for the looser lines; null if it gives none. */
  readonly because: string | null;
}

/** Changes in meaning since an older system, as `capc diff` reports them. */
export interface Changes {
  /** Name of the older system, as the user gave it. */
  readonly before: string;
  /** Numbers of changes: `1 widened, 0 moved, 2 narrowed`. */
  readonly counts: string;
  /** Changes in this order: widened, moved and renamed, narrowed. */
  readonly told: readonly ToldChange[];
  /** Cells of the new system whose decision differs from the older system. */
  readonly cells: readonly { readonly place: Place; readonly tool: string; readonly direction: Direction }[];
  readonly notCompared: readonly string[];
  /** Reason why a change may be missing; `undefined` if no change can be missing. */
  readonly unseen: string | undefined;
}

interface ToldChange {
  readonly kind: ChangeKind;
  /** Whether the change certainly or possibly gives more authority. */
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
