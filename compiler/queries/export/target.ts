// Defines the result of an export: the files, and the losses.

import type { Loss } from "./loss.ts";

export const TARGETS = ["cedar", "rego", "claude", "codex", "gemini"] as const;

export type Target = (typeof TARGETS)[number];

/** Targets for an agent, which has only one list of tools. So an export for them contains one place of the page. */
export const ONE_PLACE: readonly Target[] = ["claude", "codex", "gemini"];

export interface ExportResult {
  /** Exported files. The first file is the policy itself. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Losses in the order of `LOSSES`. */
  readonly losses: readonly Loss[];
}
