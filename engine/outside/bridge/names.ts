// The names of the protocol, v0.5.0. They are the kernel's: nothing here may be added to or left out.

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
 * Returns the risk that a kernel expects of an action: go-dav-os's runtime refuses a plan with another risk, and asks a person if it
 * is risky. So it asks before one action alone.
 */
export function getExpectedRisk(action: Action): Risk {
  return action === "delete_file" ? "risky" : "safe";
}

export const RISKS = ["safe", "risky"] as const;

export type Risk = (typeof RISKS)[number];

/** Bytes of UTF-8 of a target's name: `MaxNameLen` of the kernel's `agent/types.go`; the protocol names the limit and no number. */
export const MOST_TARGET_BYTES = 16;

/** Bytes of a request and of a response: what the kernel's own serial frames hold (`serial/frame.go`). */
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
