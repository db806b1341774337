import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Origins, Policy } from "../../phases/policy/index.ts";
import type { DeadCell } from "../../phases/prove/index.ts";
import type { Direction, Place } from "../diff/index.ts";

/** Subject of a report: a page without errors, and facts about it from other modules. */
export interface Subject {
  /** Name of the page's file, without folders, so that the report does not depend on the folder. */
  readonly file: string;
  /** `capc 0.1.0` */
  readonly madeBy: string;
  readonly policy: Policy;
  readonly origins: Origins;
  readonly model: Model;
  readonly tables: IndexedTables;
  /** Processes in start order; empty if the page cannot be built into an image yet. */
  readonly processes: readonly ProcessFacts[];
  readonly proofs: ProofFacts;
  /** The statement of each inherited assertion, by name. */
  readonly inherited: ReadonlyMap<string, string>;
  /** Permissions that no conversation can use, as indexes into the tables. */
  readonly dead: readonly DeadCell[];
  /** Changes from another page to this one; `undefined` without a comparison. */
  readonly changes: Changes | undefined;
}

export interface ProcessFacts {
  readonly name: string;
  readonly role: string;
  readonly uid: number;
  /** Memory limit in bytes, enforced by the kernel. */
  readonly memoryBytes: bigint;
  /** Size limit of its directory on the data disk in bytes, enforced by the kernel. 0 if the process has no directory or limits itself. */
  readonly diskBytes: bigint;
  /** For example `stays dead` or `started again 5 times in 300 s`. */
  readonly restart: string;
  readonly holds: readonly HeldCapability[];
  /** Files, directories and keys that the process receives at its start. */
  readonly handed: readonly string[];
}

interface HeldCapability {
  readonly interfaceName: string;
  /**
   * Name of the process that serves the capability. This may be `init`, although init starts the processes and is not
   * in the list.
   */
  readonly provider: string;
  /** Position of the line that grants it, as `file:line:column`. */
  readonly origin: string;
}

/** Proofs in the format of `capc prove --json`. */
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
  /** Origin of the assertion: the page itself, or the inherited assertions about conversations or about the image. */
  readonly of: "page" | "conversations" | "image";
  /** Position as file:line:column; null if the page does not state the assertion. */
  readonly at: string | null;
  readonly verdict: "proved" | "refuted" | "undetermined";
  /**
   * Explains the verdict in one sentence: which property holds and under which premises, what breaks it, or why no
   * verdict was possible.
   */
  readonly sentence: string;
  /** Texts of the releases that a proof depends on. */
  readonly releases: readonly string[];
  /** Paths through grants and plans that have the same effect. An assertion about direct calls does not count them. */
  readonly uncounted: readonly string[];
  /**
   * Tools of the category `outboundNet` that cannot send data out, because no service behind them reaches the network.
   */
  readonly offline: readonly string[];
  /** Whether the assertion holds only because the page has no tool or backend that it could apply to. */
  readonly isVacuous: boolean;
  /** Size of a proof about conversations; null for other proofs. */
  readonly size: { readonly states: number; readonly labels: number } | null;
  /** Steps of a counterexample, one per line. */
  readonly story: readonly string[];
}

/** An inherited assertion that the page waives. */
export interface WaiverFacts {
  readonly assertion: string;
  /** Session for which it is waived; null means every session. */
  readonly session: string | null;
  readonly because: string;
}

/** Maximum number of prompts that one conversation can cause. */
export interface PromptFacts {
  /** A session, for conversations outside of tasks, or one of its tasks. */
  readonly place: string;
  /**
   * `wanted` is the maximum if quotas of prompts are ignored; `asked` is the maximum with these quotas. Both are
   * numbers as text, or "unbounded".
   */
  readonly wanted: string;
  readonly asked: string;
  /** Rules that limit the number. If there is no limit, the tool whose calls can cause any number of prompts. */
  readonly by: readonly string[];
  /** Quotas of prompts that apply there. */
  readonly quotas: readonly string[];
}

/** A permission that no conversation can use. */
export interface DeadFacts {
  readonly place: string;
  readonly tool: string;
  readonly why: string;
}

/** A rule that forbids calls or requires a signature, but does not apply to some tools because looser rules take precedence. */
export interface LoosenedFacts {
  /** Name of a session, task, phase or worker. */
  readonly place: string;
  readonly line: string;
  readonly by: readonly string[];
  /** Position of the first rule in `by`, as file:line:column. */
  readonly at: string;
  readonly tools: readonly string[];
  /** An example call that the rule would have stopped. */
  readonly shown: string;
  /** Reason that the page states for the looser rule; null if it states none. */
  readonly because: string | null;
}

/** Changes in meaning from an older system to this one, as `capc diff` reports them. */
export interface Changes {
  /** The older system, as the user named it. */
  readonly before: string;
  /** Widened changes come first, then moved changes, then narrowed changes. */
  readonly told: readonly ToldChange[];
  /** Changed decisions of the new system. */
  readonly cells: readonly { readonly place: Place; readonly tool: string; readonly direction: Direction }[];
  readonly notCompared: readonly string[];
  /** Reason why changes may be missing; `undefined` if the list is complete. */
  readonly unseen: string | undefined;
}

interface ToldChange {
  readonly direction: Direction;
  /** Whether the change certainly or possibly gives more authority. */
  readonly widens: boolean;
  readonly where: readonly string[];
  readonly before: string;
  readonly after: string;
  /** Example calls. */
  readonly shownBy: readonly string[];
  readonly lines: readonly { readonly words: string; readonly place: string }[];
  readonly because: readonly string[];
}
