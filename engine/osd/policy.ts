// What stands before an action: the page's own decision about the tool that the action is, and the floors that hold for every page.
// Silence means no: where the page names no such tool the action does not run.

import { createHash, timingSafeEqual } from "node:crypto";
import { basename, resolve } from "node:path";
import {
  accept,
  advertisedTools,
  type Checked,
  type Conversation,
  canonicalText,
  decide,
  type Gated,
  type IndexedTables,
  isUnder,
  pathSegments,
  refuse,
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

export interface Terms {
  readonly tables: IndexedTables;
  /** Where relative paths begin. */
  readonly folder: string;
}

export function standingOf({ tables, folder }: Terms, conversation: Conversation, action: Action): Standing {
  if (action.type === "ping") return { kind: "runs" };
  const tool = toolOf(tables, conversation, action);
  if (!tool.ok) return denied(tool.reason);
  const call = { tool: tool.value, arguments: canonicalText(argumentsOf(action, folder)) };
  const decision = decide(tables, conversation, call);
  if (decision.kind === "refused") return denied(decision.reason);
  // A token is no proof of a principal's presence.
  if (decision.gate === "stepUp") return denied(`${decision.reason}: nobody can sign here`);
  const why = decision.gate === "consent" ? decision.reason : floorOf(action, folder);
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

/** The session's tool that is this action. Which of two is meant nobody said: one may be stricter than the other. */
function toolOf(tables: IndexedTables, conversation: Conversation, { type }: Touching): Checked<string> {
  const [interfaceId, methodName] = TOOLS[type];
  const [found, another] = advertisedTools(tables, conversation).filter(
    ({ tool }) => tool.interfaceId === interfaceId && tool.methodName === methodName,
  );
  if (found === undefined) return refuse(`this session has no tool for ${type}`);
  return another ? refuse(`${type} is both ${found.tool.name} and ${another.tool.name}`) : accept(found.tool.name);
}

/** Paths as they are opened: the page says where on this machine, and not from where. */
function argumentsOf(action: Touching, folder: string): Parameters<typeof canonicalText>[0] {
  switch (action.type) {
    case "exec":
      return { program: action.argv[0], arguments: action.argv.slice(1) };
    case "read_file":
      return { path: resolve(folder, action.path) };
    case "write_file":
      return { path: resolve(folder, action.path), content: action.content };
  }
}

function floorOf(action: Touching, folder: string): string | undefined {
  if (action.danger !== undefined && action.danger !== "") return "it says itself that it is dangerous";
  if (action.type !== "exec") return floorOfPath(action.path);
  const name = basename(action.argv[0]);
  if (DANGEROUS.includes(name)) return `${name} is confirmed each time`;
  // A loader or an interpreter takes other programs from it, and the page sees words alone.
  if (Object.keys(action.env).length > 0) return "the page does not decide about an environment";
  return action.cwd === undefined || action.cwd === folder ? undefined : floorOfPath(action.cwd);
}

function floorOfPath(path: string): string | undefined {
  const segments = pathSegments(path);
  if (segments === undefined) return "the path holds ..";
  const isElsewhere = path.startsWith("/") && !(isUnder(segments, ["tmp"]) && segments.length > 1);
  return isElsewhere ? "an absolute path outside of /tmp/" : undefined;
}
