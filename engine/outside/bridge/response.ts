// Creates and validates the responses of a bridge: a program that drives a kernel checks each response against the request before
// it has an effect. A response is a typed plan and never a command line; a field that the protocol does not define is refused.

import { findUnknownName, isList, type Json, recordFrom } from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import {
  type Action,
  ARGUMENTS,
  type Intent,
  MOST_RESPONSE_BYTES,
  MOST_TARGET_BYTES,
  parseAction,
  parseIntent,
  RISKS,
  type Risk,
} from "./names.ts";
import type { Request } from "./request.ts";

export interface Response {
  readonly intent: Intent;
  /** Action that the kernel executes; `unknown` if the bridge has no plan, and then the kernel executes nothing. */
  readonly action: Action | "unknown";
  readonly args: readonly string[];
  readonly risk: Risk;
  readonly explanation?: string;
}

/** Returns the plan that replaces every rejected response, with the reason; no kernel executes it. */
export function makeUnknownPlan(explanation: string): Response {
  return { intent: "unknown", action: "unknown", args: [], risk: "safe", explanation };
}

export function parseResponse(
  bytes: Uint8Array,
  { allowedActions }: Pick<Request, "allowedActions">,
): Result<Response> {
  const read = recordFrom(bytes, MOST_RESPONSE_BYTES);
  if (!read.ok) return read;
  const stranger = findUnknownName(read.value, ["intent", "action", "args", "risk", "explanation"]);
  if (stranger !== undefined) return refuse(`"${stranger}" is no field of a plan`);
  const { args: given = [], explanation } = read.value;
  const intent = parseIntent(read.value["intent"]);
  if (intent === undefined) return refuse('"intent" has to be a known intent');
  const action: Response["action"] | undefined =
    read.value["action"] === "unknown" ? "unknown" : parseAction(read.value["action"]);
  if (action === undefined) return refuse('"action" has to be a known action');
  if (action !== "unknown" && !allowedActions.includes(action)) return refuse(`${action} is not allowed here`);
  const risk = RISKS.find((each) => each === read.value["risk"]);
  if (risk === undefined) return refuse('"risk" has to be safe or risky');
  const args = parseArguments(given);
  if (args === undefined) return refuse('"args" has to be a list of texts');
  if (explanation !== undefined && typeof explanation !== "string") return refuse('"explanation" has to be a text');
  const plan: Response = { intent, action, args, risk, ...(explanation !== undefined && { explanation }) };
  const fault = findContradiction(plan);
  return fault === undefined ? accept(plan) : refuse(fault);
}

function parseArguments(value: Json): readonly string[] | undefined {
  if (!isList(value)) return undefined;
  const texts = value.flatMap((item) => (typeof item === "string" ? item : []));
  return texts.length === value.length ? texts : undefined;
}

function findContradiction({ intent, action, args, risk }: Response): string | undefined {
  const most = action === "unknown" ? 0 : ARGUMENTS[action];
  if (args.length > most) return `${action} takes ${most} arguments, and ${args.length} are there`;
  if (args.some((arg) => Buffer.byteLength(arg) > MOST_TARGET_BYTES))
    return `a target's name has at most ${MOST_TARGET_BYTES} bytes`;
  if (action !== "unknown" && intent !== action) return `${action} is not what ${intent} intends`;
  if (action === "delete_file" && risk === "safe") return "delete_file is risky";
  return undefined;
}
