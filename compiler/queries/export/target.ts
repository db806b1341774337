// Result of every target: files, and the losses.

import type { Loss } from "./loss.ts";

export const TARGETS = ["cedar", "rego", "claude", "codex", "gemini"] as const;

export type Target = (typeof TARGETS)[number];

/** Targets that know one agent with one list of tools: one place of the page goes into them. */
export const ONE_PLACE: readonly Target[] = ["claude", "codex", "gemini"];

export interface ExportResult {
  /** The policy itself first. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Losses in the order of `LOSSES`. */
  readonly losses: readonly Loss[];
}
