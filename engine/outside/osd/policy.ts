// Decides about an action: by the page's decision about the tool for such actions, and by the floors of `floors.ts`, which apply
// on every page. If the page has no such tool, the action does not run.

import { createHash, timingSafeEqual } from "node:crypto";
import { resolve } from "node:path";
import {
  type Conversation,
  decide,
  findToolOfMethod,
  type GatedDecision,
  type IndexedTables,
  renderCanonicalJson,
} from "../../lib/policy/index.ts";
import { Files, Processes } from "../../lib/wire/generated/tools.ts";
import type { ActionFault } from "./answer.ts";
import { type EffectfulAction, findFloor } from "./floors.ts";
import { type Action, type ForeignAction, isForeign } from "./plan.ts";

export type ActionDecision =
  /** `gated` is the call that the decision is about; it is absent for a ping, which needs no decision. */
  | { readonly kind: "runs"; readonly gated?: GatedDecision }
  | { readonly kind: "confirmed"; readonly gated: GatedDecision; readonly why: string }
  | { readonly kind: "denied"; readonly fault: ActionFault };

interface Terms {
  readonly tables: IndexedTables;
  /** Folder at which relative paths begin. */
  readonly folder: string;
}

export function decideStanding(
  { tables, folder }: Terms,
  conversation: Conversation,
  action: Action | ForeignAction,
): ActionDecision {
  if (isForeign(action)) return denyAction(`${action.type} is nothing that is done here`);
  if (action.type === "ping") return { kind: "runs" };
  const tool = findToolOfMethod(tables, conversation, TOOLS[action.type], action.type);
  if (!tool.ok) return denyAction(tool.reason);
  const call = { tool: tool.value, arguments: renderCanonicalJson(makeToolArguments(action, folder)) };
  const decision = decide(tables, conversation, call);
  if (decision.kind === "refused") return denyAction(decision.reason);
  // A token does not prove that a principal is present.
  if (decision.gate === "stepUp") return denyAction(`${decision.reason}: nobody can sign here`);
  const why = decision.gate === "consent" ? decision.reason : findFloor(action, folder);
  return why === undefined ? { kind: "runs", gated: decision } : { kind: "confirmed", gated: decision, why };
}

/** Returns whether the text is the token. The time of the comparison does not depend on the token. */
export function isToken(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function denyAction(message: string): ActionDecision {
  return { kind: "denied", fault: { code: "policy_denied", message } };
}

const TOOLS = {
  exec: [Processes.id, "start"],
  read_file: [Files.id, "read"],
  write_file: [Files.id, "write"],
} as const satisfies Record<EffectfulAction["type"], readonly [bigint, string]>;

/** Returns the arguments with absolute paths, because the page names absolute paths of this machine. */
function makeToolArguments(action: EffectfulAction, folder: string): Parameters<typeof renderCanonicalJson>[0] {
  switch (action.type) {
    case "exec":
      return { program: action.argv[0], arguments: action.argv.slice(1) };
    case "read_file":
      return { path: resolve(folder, action.path) };
    case "write_file":
      return { path: resolve(folder, action.path), content: action.content };
  }
}
