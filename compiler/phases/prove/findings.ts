import type { Quota } from "../../../engine/lib/wire/generated/policy.ts";

// Findings of the search that depend on no assertion. Rows, tools, rules and releases are indexes into the
// tables.

/** The most questions, or a call that may be asked about without end. */
export type Questions =
  /** `rules`: the lines that bound it. */
  | { readonly kind: "atMost"; readonly questions: bigint; readonly rules: readonly number[] }
  | { readonly kind: "unbounded"; readonly row: number; readonly tool: number };

/** Prompts that one conversation may cause, in the worst case. */
export interface PromptDemand {
  readonly session: string;
  /** Empty for a conversation outside of tasks. */
  readonly task: string;
  /** If no quota counted prompts. */
  readonly wanted: Questions;
  /** Prompts under every quota. */
  readonly asked: Questions;
  /** The quotas that count prompts there, each once. */
  readonly quotas: readonly Quota[];
}

/** A tool that may run in a row by the lines alone, and that no conversation can ever call there. */
export interface DeadCell {
  readonly row: number;
  readonly tool: number;
  readonly why: DeadReason;
}

/** Reason why no conversation can make such a call. */
export type DeadReason =
  /** The label of its result may exceed the session's clearance, and the tool changes something. */
  | { readonly kind: "result" }
  /** No conversation of the row has a label that may flow to where its arguments go. */
  | { readonly kind: "flow" }
  /** As `flow`, and the given releases, which are for this tool, cover no label that conversations have. */
  | { readonly kind: "release"; readonly releases: readonly number[] }
  /** A floor forbids it for every label that lets its arguments flow. */
  | { readonly kind: "floor" }
  /** No arguments fit it that no line forbids. */
  | { readonly kind: "arguments" };
