// What stands before an action: the page's own decision about the tool that the action is, and the floors that hold for every page.
// Silence means no: where the page names no such tool the action does not run.

import { createHash, timingSafeEqual } from "node:crypto";
import { basename } from "node:path";
import {
  type Conversation,
  canonicalText,
  decide,
  type Gated,
  type IndexedTables,
  isUnder,
  pathSegments,
} from "../policy/index.ts";
import { Files, Processes } from "../wire/generated/tools.ts";
import type { ActionFault } from "./answer.ts";
import type { Action } from "./plan.ts";

export type Standing =
  /** `gated`: absent of a ping, which touches nothing. */
  | { readonly kind: "runs"; readonly gated?: Gated }
  | { readonly kind: "confirmed"; readonly gated: Gated; readonly why: string }
  | { readonly kind: "denied"; readonly fault: ActionFault };

/** Confirmed even where the page would let them run, and nothing calls them dangerous. */
const DANGEROUS = ["rm"];

export function standingOf(tables: IndexedTables, conversation: Conversation, action: Action): Standing {
  if (action.type === "ping") return { kind: "runs" };
  const call = callOf(tables, action);
  if (call === undefined) return denied(`the page has no tool for ${action.type}`);
  const decision = decide(tables, conversation, call);
  if (decision.kind === "refused") return denied(decision.reason);
  // A token is no proof of a principal's presence.
  if (decision.gate === "stepUp") return denied(`${decision.reason}: nobody can sign here`);
  const why = decision.gate === "consent" ? decision.reason : floorOf(action);
  return why === undefined ? { kind: "runs", gated: decision } : { kind: "confirmed", gated: decision, why };
}

/** Whether this is the token, in a time that says nothing about it. */
export function isToken(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function denied(message: string): Standing {
  return { kind: "denied", fault: { code: "policy_denied", message } };
}

type Touching = Exclude<Action, { readonly type: "ping" }>;

const TOOLS = {
  exec: [Processes.id, "start"],
  read_file: [Files.id, "read"],
  write_file: [Files.id, "write"],
} as const satisfies Record<Touching["type"], readonly [bigint, string]>;

/** The first tool of the page that is this action, as a call of it. */
function callOf(tables: IndexedTables, action: Touching): { tool: string; arguments: string } | undefined {
  const [interfaceId, methodName] = TOOLS[action.type];
  const tool = tables.tools.find((each) => each.interfaceId === interfaceId && each.methodName === methodName);
  return tool && { tool: tool.name, arguments: canonicalText(argumentsOf(action)) };
}

function argumentsOf(action: Touching): Parameters<typeof canonicalText>[0] {
  switch (action.type) {
    case "exec":
      return { program: action.argv[0], arguments: action.argv.slice(1) };
    case "read_file":
      return { path: action.path };
    case "write_file":
      return { path: action.path, content: action.content };
  }
}

function floorOf(action: Touching): string | undefined {
  if (action.danger !== undefined && action.danger !== "") return "it says itself that it is dangerous";
  if (action.type === "exec") {
    const name = basename(action.argv[0]);
    return DANGEROUS.includes(name) ? `${name} is confirmed each time` : undefined;
  }
  const segments = pathSegments(action.path);
  if (segments === undefined) return "the path holds ..";
  const isElsewhere = action.path.startsWith("/") && !(isUnder(segments, ["tmp"]) && segments.length > 1);
  return isElsewhere ? "an absolute path outside of /tmp/" : undefined;
}
