// Names of the protocol, v0.5.0. The kernel defines the names, so none may be added or left out.

import type { Json } from "../../lib/policy/index.ts";

export const INTENTS = [
  "unknown",
  "list_files",
  "read_file",
  "write_file",
  "delete_file",
  "stat_file",
  "show_help",
  "show_history",
  "show_version",
  "show_ticks",
  "show_memory_map",
  "set_mode",
] as const;

export type Intent = (typeof INTENTS)[number];

/** Actions that a bridge may propose, in the protocol's order, with their number of arguments: a target's name, or none. */
export const ARGUMENTS = {
  list_files: 0,
  read_file: 1,
  stat_file: 1,
  delete_file: 1,
  show_history: 0,
  show_version: 0,
  show_ticks: 0,
  show_memory_map: 0,
} as const satisfies Partial<Record<Intent, 0 | 1>>;

export type Action = keyof typeof ARGUMENTS;

export const ACTIONS: readonly Action[] = INTENTS.filter(isActionName);

/**
 * Returns the risk that a kernel expects of an action: go-dav-os's runtime refuses a plan with another risk, and asks a person about
 * a risky plan. Only a deletion is marked as risky, so the kernel asks only before a deletion.
 */
export function getExpectedRisk(action: Action): Risk {
  return action === "delete_file" ? "risky" : "safe";
}

export const RISKS = ["safe", "risky"] as const;

export type Risk = (typeof RISKS)[number];

/**
 * Maximum bytes of a target's name in UTF-8: `MaxNameLen` of the kernel's `agent/types.go`. The protocol names the limit without a
 * number.
 */
export const MOST_TARGET_BYTES = 16;

/** Maximum bytes of a request and of a response. The kernel's own serial frames have the same limits (`serial/frame.go`). */
export const MOST_REQUEST_BYTES = 2048;
export const MOST_RESPONSE_BYTES = 1024;

export function parseAction(value: Json | undefined): Action | undefined {
  return ACTIONS.find((action) => action === value);
}

export function parseIntent(value: Json | undefined): Intent | undefined {
  return INTENTS.find((intent) => intent === value);
}

function isActionName(intent: Intent): intent is Action {
  return intent in ARGUMENTS;
}
