import type { Quota } from "../../../engine/lib/wire/generated/policy.ts";

// Findings of the search that do not depend on an assertion. Rows, tools, rules and releases are indexes into the tables.

/** The maximum number of prompts, or a call that can cause unlimited prompts. */
export type Questions =
  /** `rules` are the rules that limit the number. */
  | { readonly kind: "atMost"; readonly questions: bigint; readonly rules: readonly number[] }
  | { readonly kind: "unbounded"; readonly row: number; readonly tool: number };

/** Prompts that one conversation can cause in the worst case. */
export interface PromptDemand {
  readonly session: string;
  /** Empty for a conversation outside of tasks. */
  readonly task: string;
  /** Maximum number of prompts if the quotas that count prompts are ignored. */
  readonly wanted: Questions;
  /** Maximum number of prompts if all quotas apply. */
  readonly asked: Questions;
  /** The quotas of prompts that apply to the conversation, without duplicates. */
  readonly quotas: readonly Quota[];
}

/** A tool that the rules let run in a row, but that no conversation can call there. */
export interface DeadCell {
  readonly row: number;
  readonly tool: number;
  readonly why: DeadReason;
}

/** Reason why no conversation can make the call. */
export type DeadReason =
  /** The tool changes data, and the label of its result may exceed the session's clearance. */
  | { readonly kind: "result" }
  /** No label that a conversation can have in the row may flow to the tool's sink. */
  | { readonly kind: "flow" }
  /** Like `flow`, and none of the releases for this tool covers a label that conversations can have. */
  | { readonly kind: "release"; readonly releases: readonly number[] }
  /** An `atLeast` line forbids the call for every label that may flow to the sink. */
  | { readonly kind: "floor" }
  /** The rules forbid all arguments that are valid for the tool. */
  | { readonly kind: "arguments" };
