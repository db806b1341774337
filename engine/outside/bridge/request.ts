// Parses requests of the kernel. Each request contains a person's words, a little recent activity, and the actions that may be
// proposed. A request contains no command, no history to replay, and no unlimited list of tools.

import { findUnknownName, isList, isRecord, type Json, recordFrom } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { type Action, type Intent, MOST_REQUEST_BYTES, parseAction, parseIntent } from "./names.ts";

export interface Request {
  readonly input: string;
  readonly context: Context;
  /** Actions that the kernel lists, without duplicates and without those that no bridge may propose. */
  readonly allowedActions: readonly Action[];
}

/** The kernel's report about earlier requests; every field may be absent. */
interface Context {
  readonly lastIntent?: Intent;
  /** The last action may be an action that only the kernel performs, such as writing a file. */
  readonly lastAction?: Intent;
  readonly lastSummary?: string;
  readonly requestCount?: number;
}

export function requestFrom(bytes: Uint8Array): Result<Request> {
  const read = recordFrom(bytes, MOST_REQUEST_BYTES);
  if (!read.ok) return read;
  const stranger = findUnknownName(read.value, ["input", "context", "allowedActions"]);
  if (stranger !== undefined) return refuse(`"${stranger}" is no field of a request`);
  const { input, context, allowedActions } = read.value;
  if (typeof input !== "string") return refuse('"input" has to be a text');
  const actions = parseActions(allowedActions);
  if (actions === undefined) return refuse('"allowedActions" has to be a list of actions, none twice');
  const checked = parseContext(context);
  return checked.ok ? accept({ input, context: checked.value, allowedActions: actions }) : checked;
}

function parseActions(value: Json | undefined): readonly Action[] | undefined {
  if (value === undefined || !isList(value)) return undefined;
  const names = value.flatMap((item) => (item === "unknown" ? [] : (parseIntent(item) ?? [])));
  if (names.length !== value.length || new Set(names).size !== names.length) return undefined;
  return names.flatMap((name) => parseAction(name) ?? []);
}

function parseContext(value: Json | undefined): Result<Context> {
  if (value === undefined) return accept({});
  if (!isRecord(value)) return refuse('"context" has to be an object');
  const stranger = findUnknownName(value, ["lastIntent", "lastAction", "lastSummary", "requestCount"]);
  if (stranger !== undefined) return refuse(`"${stranger}" is no field of a context`);
  const { lastIntent, lastAction, lastSummary, requestCount } = value;
  const intent = parseIntent(lastIntent);
  const action = parseIntent(lastAction);
  if (lastIntent !== undefined && intent === undefined) return refuse('"lastIntent" has to be an intent');
  if (lastAction !== undefined && action === undefined) return refuse('"lastAction" has to be an action');
  if (lastSummary !== undefined && typeof lastSummary !== "string") return refuse('"lastSummary" has to be a text');
  if (requestCount !== undefined && !isCount(requestCount)) return refuse('"requestCount" has to be a count');
  return accept({
    ...(intent && { lastIntent: intent }),
    ...(action && { lastAction: action }),
    ...(lastSummary !== undefined && { lastSummary }),
    ...(requestCount !== undefined && { requestCount }),
  });
}

function isCount(value: Json): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
