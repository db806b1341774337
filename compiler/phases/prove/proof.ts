import type { Label, ParameterValue } from "../../../engine/lib/policy/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { BoundClaim, InheritedAssertion, Waiver } from "../bind/index.ts";
import type { Heard } from "./arguments/heard.ts";
import type { DeadCell, PromptDemand } from "./findings.ts";

// Defines the results of the prover: a verdict for each claim, and a witness for each refuted claim.

/** A claim that the page asserts, or that is inherited by every page. */
export type ProvenClaim = BoundClaim | { readonly kind: "inherited"; readonly assertion: InheritedAssertion };

/** One claim and its verdict. */
export interface Proof {
  /** The text of the claim on the page, or the description of an inherited claim. */
  readonly words: string;
  /** Claim that the verdict is about. For an assertion of the page, it is the same object as in the model. */
  readonly claim: ProvenClaim;
  /**
   * Name of the session or task that the claim is about; `undefined` means the whole page. A claim about a session is
   * also about the sessions that extend it.
   */
  readonly subject: string | undefined;
  /** Position of the claim on the page; `undefined` for an inherited claim. */
  readonly span: Span | undefined;
  readonly inherited: InheritedAssertion | undefined;
  readonly verdict: Verdict;
  /**
   * Session or backend that breaks an inherited claim. A finding is reported at the position of this session or
   * backend, because no line of the page states the claim.
   */
  readonly at?: { readonly session?: string; readonly backend?: string };
}

/**
 * Result for a claim. `undetermined` means that the search exceeded a limit, or that its counterexample cannot be
 * replayed. A build fails if a claim is refuted or undetermined.
 */
export type Verdict =
  | {
      readonly kind: "proved";
      readonly sentence: string;
      /** Descriptions of the releases that some conversation uses. */
      readonly releases: readonly string[];
      /**
       * Indirect effects that a claim about direct calls does not count, such as "`changes.apply` may use
       * `papers.write`".
       */
      readonly uncounted: readonly string[];
      /**
       * Tools in `outboundNet` that do not count as sending data out, because their services cannot reach the network.
       */
      readonly offline: readonly string[];
      /** Whether the page has no tool and no backend that the claim is about. */
      readonly isVacuous: boolean;
      /** Whether the assertion holds only because no data of the page has a label to which the assertion applies. */
      readonly isUnlabelled: boolean;
      /** Whether the assertion ignores flows through releases, so that the result does not depend on `releases`. */
      readonly ignoresReleases: boolean;
      readonly states: number;
      /**
       * Number of different labels that all searches used, including those of stored data. Compartments that no label
       * distinguishes count as one.
       */
      readonly merged: number;
    }
  | { readonly kind: "refuted"; readonly witness: Witness; readonly sentence: string }
  | { readonly kind: "undetermined"; readonly reason: string };

/**
 * A witness trace: conversations in the order in which they take place. A conversation that writes data comes before
 * one that reads it.
 */
export interface Witness {
  readonly conversations: readonly WitnessConversation[];
}

/** Conversation of a witness, from its beginning; `task` is empty outside of tasks. */
export interface WitnessConversation {
  readonly session: string;
  readonly task: string;
  /** Values that the person chose for the task's parameters; absent if the task has no parameters. */
  readonly chosen?: readonly WitnessValue[];
  readonly steps: readonly WitnessStep[];
}

/** Value of a task's parameter. */
export interface WitnessValue {
  readonly name: string;
  readonly value: ParameterValue;
}

/**
 * A step of a witness. `label` is the label of the conversation after the step. A person approves at every gate, and
 * each step is a separate turn.
 */
export type WitnessStep =
  | WitnessCall
  | { readonly kind: "phase"; readonly phase: string; readonly gate: Gate; readonly label: Label }
  /** A text from an ingress enters the conversation. */
  | { readonly kind: "ingress"; readonly name: string; readonly label: Label }
  /** Steps of a worker, from its start to its end. If a witness ends with this step, the worker has not ended. */
  | {
      readonly kind: "worker";
      readonly worker: string;
      readonly steps: readonly WitnessStep[];
      readonly label: Label;
    }
  /** A backend receives the whole conversation. Such a step is always the last step of a witness. */
  | { readonly kind: "infer"; readonly backend: string; readonly gate: Gate; readonly label: Label };

/** A call that runs, or several equal calls, one after the other. */
export interface WitnessCall {
  readonly kind: "call";
  readonly tool: string;
  /** JSON text. */
  readonly arguments: string;
  /** Assumptions about the sources of the arguments; absent if no condition tests a source. */
  readonly heard?: readonly Heard[];
  readonly gate: Gate;
  /** Index into the tables' rules: the line that requires the gate. */
  readonly rule: number;
  /** Index into the tables' releases: the release that the call needs. */
  readonly release?: number;
  /** Label that the provider states for the result; absent in the last step, whose result does not matter. */
  readonly returning?: Label;
  readonly label: Label;
  /** Number of times that the call is made, one after the other; absent means once. */
  readonly times?: number;
  /** The use of another service, if this use breaks the claim; absent if the call itself breaks it. */
  readonly use?: GrantedUse;
}

/** A tool that a service uses through a grant, and the name of this service. */
export interface GrantedUse {
  readonly tool: string;
  readonly by: string;
}

/** Gate of a call or a phase. */
export type Gate = "auto" | "consent" | "stepUp";

/** A waiver, and the claim that it cancels. */
export interface WaivedProof {
  readonly assertion: InheritedAssertion;
  /** Session for which the claim is waived; `undefined` means the whole page. */
  readonly session: string | undefined;
  readonly reason: string;
  readonly waiver: Waiver;
}

/** Results about backends, which do not depend on assertions. */
export interface Reachability {
  /** Indexes of the tables' backends that some conversation may use, whatever approval this needs. */
  readonly backends: ReadonlySet<number>;
  /**
   * Conversations whose label exceeds the clearance of every backend of their row, at most one for each row. Rows
   * without backends are omitted.
   */
  readonly unanswered: readonly UnansweredRow[];
}

/** A row, and a conversation of that row whose label exceeds the clearance of every backend. */
export interface UnansweredRow {
  /** The row, as an index into the tables' rows. */
  readonly row: number;
  readonly label: Label;
  readonly witness: Witness;
}

/** All results of the prover for a page. */
export interface Proofs {
  /** The page's own claims in the order of the page, then the inherited claims. */
  readonly results: readonly Proof[];
  readonly waived: readonly WaivedProof[];
  readonly reach: Reachability;
  /** Prompt demand of each task, and of each session outside of tasks. */
  readonly prompts: readonly PromptDemand[];
  readonly dead: readonly DeadCell[];
  /** Waivers that are not needed: without them, the claim is proved for all sessions that no other waiver covers. */
  readonly idleWaivers: readonly Waiver[];
  /** Total number of states that all searches reached. */
  readonly states: number;
  readonly mergedLabels: number;
}
