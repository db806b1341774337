// Result of every target: files, and the losses.

import type { Loss } from "./loss.ts";

export const TARGETS = ["cedar", "rego", "claude", "codex", "gemini"] as const;

export type Target = (typeof TARGETS)[number];

/** Targets for one agent with one list of tools: they contain one place of the page. */
export const ONE_PLACE: readonly Target[] = ["claude", "codex", "gemini"];

export interface ExportResult {
  /** The policy itself comes first. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Losses in the order of `LOSSES`. */
  readonly losses: readonly Loss[];
}
