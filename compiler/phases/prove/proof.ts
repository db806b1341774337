import type { Label, ParameterValue } from "../../../engine/lib/policy/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { BoundClaim, InheritedAssertion, Waiver } from "../bind/index.ts";
import type { Heard } from "./arguments/heard.ts";
import type { DeadCell, PromptDemand } from "./findings.ts";

// Results of the prover: a verdict for each claim, and witnesses for claims that do not hold.

/** A claim that the page asserts, or that every page inherits. */
export type ProvenClaim = BoundClaim | { readonly kind: "inherited"; readonly assertion: InheritedAssertion };

/** One claim and its verdict. */
export interface Proof {
  /** The claim as the page writes it, or the description of an inherited claim. */
  readonly words: string;
  /** The claim that the verdict is about. For an assertion of the page, this is the object from the model. */
  readonly claim: ProvenClaim;
  /** Name of a session (with all sessions that extend it) or of a task; `undefined` means the whole page. */
  readonly subject: string | undefined;
  /** Position on the page; `undefined` if the page does not state the claim. */
  readonly span: Span | undefined;
  readonly inherited: InheritedAssertion | undefined;
  readonly verdict: Verdict;
  /** Session or backend that breaks an inherited claim, because such a claim has no position on the page. */
  readonly at?: { readonly session?: string; readonly backend?: string };
}

/**
 * `undetermined` means that the search exceeded a limit, or that its counterexample cannot be replayed. A build then fails, as it does for
 * a refutation.
 */
export type Verdict =
  | {
      readonly kind: "proved";
      readonly sentence: string;
      /** Texts of the releases that some conversation uses. */
      readonly releases: readonly string[];
      /** Paths to the same effect that a claim about direct calls does not count, such as "`changes.apply` may use `papers.write`". */
      readonly uncounted: readonly string[];
      /** Tools in `outboundNet` that do not count as a way out, because no service behind them reaches the network. */
      readonly offline: readonly string[];
      /** Whether the claim holds only because the page has no tool or backend that it could apply to. */
      readonly isVacuous: boolean;
      readonly states: number;
      /** Number of distinct labels of conversations, where compartments that no label distinguishes count as one. */
      readonly merged: number;
    }
  | { readonly kind: "refuted"; readonly witness: Witness; readonly sentence: string }
  | { readonly kind: "undetermined"; readonly reason: string };

/** A counterexample: conversations in the order in which they happen. A conversation that writes data comes before one that reads it. */
export interface Witness {
  readonly conversations: readonly WitnessConversation[];
}

/** A conversation of a witness, from its beginning; `task` is empty outside of tasks. */
export interface WitnessConversation {
  readonly session: string;
  readonly task: string;
  /** Values that the person chose for the task's parameters; absent if there are none. */
  readonly chosen?: readonly WitnessValue[];
  readonly steps: readonly WitnessStep[];
}

/** Value of a parameter of the task. */
export interface WitnessValue {
  readonly name: string;
  readonly value: ParameterValue;
}

/**
 * A step of a conversation; `label` is the conversation's label after the step. A person approves at every gate, and each step is a
 * separate turn.
 */
export type WitnessStep =
  | WitnessCall
  | { readonly kind: "phase"; readonly phase: string; readonly gate: Gate; readonly label: Label }
  /** External text that enters the conversation. */
  | { readonly kind: "ingress"; readonly name: string; readonly label: Label }
  /** Steps of a worker, from its start to its end. If this is the last step, the worker has not ended. */
  | {
      readonly kind: "worker";
      readonly worker: string;
      readonly steps: readonly WitnessStep[];
      readonly label: Label;
    }
  /** A backend receives the whole conversation. This step is always the last one. */
  | { readonly kind: "infer"; readonly backend: string; readonly gate: Gate; readonly label: Label };

/** One call that runs, or several equal calls. */
export interface WitnessCall {
  readonly kind: "call";
  readonly tool: string;
  /** JSON text. */
  readonly arguments: string;
  /** Values of the arguments that the conversation has read before; absent if no condition tests their source. */
  readonly heard?: readonly Heard[];
  readonly gate: Gate;
  /** Index into the tables' rules: the rule that requires the gate. */
  readonly rule: number;
  /** Index into the tables' releases. */
  readonly release?: number;
  /** The label that the provider states; absent in the last step, whose result does not matter. */
  readonly returning?: Label;
  readonly label: Label;
  /** Number of consecutive calls; absent means one. */
  readonly times?: number;
  /** The use of another service that breaks the claim; absent if the call itself breaks it. */
  readonly use?: GrantedUse;
}

/** A tool that a service uses through a grant, and the service that holds the grant. */
export interface GrantedUse {
  readonly tool: string;
  readonly by: string;
}

/** Gate of a call or a phase. */
export type Gate = "auto" | "consent" | "stepUp";

/** A waiver, and the claim that it waives. */
export interface WaivedProof {
  readonly assertion: InheritedAssertion;
  /** Session for which the claim is waived; `undefined` means the whole page. */
  readonly session: string | undefined;
  readonly reason: string;
  readonly waiver: Waiver;
}

/** Which backends conversations can reach, independent of assertions. */
export interface Reachability {
  /** Indexes of the backends, in the tables, that some conversation may use, behind any gate. */
  readonly backends: ReadonlySet<number>;
  /**
   * Conversations for which no backend of their row has sufficient clearance, at most one for each row. Rows that list no backends are
   * omitted.
   */
  readonly unanswered: readonly UnansweredRow[];
}

/** A row, and a conversation in it for which no backend has sufficient clearance. */
export interface UnansweredRow {
  /** Index into the tables' rows. */
  readonly row: number;
  readonly label: Label;
  readonly witness: Witness;
}

/** All results for a page. */
export interface Proofs {
  /** The page's own claims in the page's order, then the inherited claims. */
  readonly results: readonly Proof[];
  readonly waived: readonly WaivedProof[];
  readonly reach: Reachability;
  /** Prompt demand of each task, and of each session outside of tasks. */
  readonly prompts: readonly PromptDemand[];
  readonly dead: readonly DeadCell[];
  /** Waivers of claims that are proved anyway. Sessions that another waiver covers are not considered. */
  readonly idleWaivers: readonly Waiver[];
  /** Total number of states in all searches. */
  readonly states: number;
  readonly mergedLabels: number;
}
