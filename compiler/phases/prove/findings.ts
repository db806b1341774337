import type { Quota } from "../../../engine/lib/wire/generated/policy.ts";

// Defines those findings of the search that do not depend on an assertion. Rows, tools, rules and releases are indexes into the tables.

/** How many prompts are possible: at most a number, or any number, because of a call that can always be repeated. */
export type Questions =
  /** `rules` are the quota lines that limit the number. */
  | { readonly kind: "atMost"; readonly questions: bigint; readonly rules: readonly number[] }
  | { readonly kind: "unbounded"; readonly row: number; readonly tool: number };

/** Prompts that one conversation may cause, in the worst case. */
export interface PromptDemand {
  readonly session: string;
  /** The name of the task; empty for a conversation outside of tasks. */
  readonly task: string;
  /** Maximum number of prompts if no quota limited prompts. */
  readonly wanted: Questions;
  /** Maximum number of prompts with all quotas. */
  readonly asked: Questions;
  /** The quotas of prompts that apply to the conversation, each once. */
  readonly quotas: readonly Quota[];
}

/** A tool that the lines alone allow in a row, but that no conversation can ever call there. */
export interface DeadCell {
  readonly row: number;
  readonly tool: number;
  readonly why: DeadReason;
}

/** The reason for which no conversation can make the call of a dead cell. */
export type DeadReason =
  /** The tool changes something, and the label of its result may exceed the session's clearance. */
  | { readonly kind: "result" }
  /** In every conversation of the row, the label forbids that the call's arguments flow to their destination. */
  | { readonly kind: "flow" }
  /**
   * As for `flow`, although the page has releases for this tool: they cover no label that a conversation of the row
   * has.
   */
  | { readonly kind: "release"; readonly releases: readonly number[] }
  /** A floor forbids the call for every label with which its arguments may flow. */
  | { readonly kind: "floor" }
  /** Lines forbid all valid arguments of the tool. */
  | { readonly kind: "arguments" };
