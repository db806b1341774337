// A call as the audit holds it. Everything in it is the gate's own knowledge but the call's id and name and the arguments,
// which are what was proposed.
import { hash } from "node:crypto";
import {
  type Conversation,
  canonicalizeArguments,
  type Decision,
  findAdvertisedTool,
  type IndexedTables,
} from "../../lib/policy/index.ts";
import type { CallRecord, PermissionDecision } from "../../lib/wire/generated/audit.ts";
import type { ToolCall, ToolDescriptor } from "../../lib/wire/generated/capos.ts";
import { createDescriptor } from "./descriptors.ts";
import type { Ending } from "./ending.ts";
import { cut, excerpt } from "./result.ts";

/** Who proposed a call: the loop, out of an inference, an action plan that was handed in, or a person who typed it. */
export type Origin =
  | {
      readonly by: "loop";
      readonly model: string;
      readonly backend: string;
      readonly nonce: Uint8Array;
      /** SHA-256 of the list of tools that it was made from. */
      readonly descriptors: Uint8Array;
    }
  | { readonly by: "plan" }
  | { readonly by: "person" };

export interface Recorded {
  readonly tables: IndexedTables;
  readonly session: string;
  /** As it was when the call was judged: it decides what was advertised. */
  readonly state: Conversation;
  readonly conversation: string;
  readonly turn: number;
  readonly call: ToolCall;
  readonly origin: Origin;
  /** Nothing where the call was refused before it was looked at. */
  readonly decision?: Decision | undefined;
  readonly permission: PermissionDecision;
  readonly principal: string;
  /** Of the remembered consent that it ran under, or that was given with it; 0: there is none. */
  readonly consent: number;
  /** It was sent without an intent, so that one record stands for it. */
  readonly isSentAlone?: boolean;
}

/** Of arguments in any record but an intent, whose arguments are exact and whole: refused calls must not fill the disk. */
export const MAX_REPEATED_BYTES = 4096;
const NOTHING = new Uint8Array();

/**
 * `ending`: absent in an intent. `intent`: sequence of the intent that an outcome closes; 0: there was none. Each field is named: to copy
 * objects into each other costs, where nothing is compiled, as much as all the rest.
 */
export function callRecord(recorded: Recorded, ending?: Ending, intent = 0n): CallRecord {
  const { origin, decision, isSentAlone = false } = recorded;
  const loop = origin.by === "loop" ? origin : NO_LOOP;
  return {
    session: recorded.session,
    principal: recorded.principal,
    conversation: recorded.conversation,
    turn: recorded.turn,
    callId: excerpt(recorded.call.id),
    model: loop.model,
    backend: loop.backend,
    nonce: loop.nonce,
    runner: RUNNERS[origin.by],
    gateway: "",
    descriptor: findDescriptor(recorded),
    arguments: renderArguments(recorded.call, decision, ending === undefined || isSentAlone),
    decision: recorded.permission,
    outcome: ending?.outcome ?? "ok",
    resultHash: ending?.outcome === "ok" ? hash("sha256", ending.content, "buffer") : NOTHING,
    error: excerpt(ending?.error ?? ""),
    rule: recorded.tables.rules[decision?.rule ?? -1]?.id ?? "",
    intent,
    descriptors: loop.descriptors,
    consent: recorded.consent,
    sent: isSentAlone,
  };
}

const NO_LOOP = { model: "", backend: "", nonce: NOTHING, descriptors: NOTHING };
const RUNNERS: Readonly<Record<Origin["by"], string>> = { loop: "capos-side", person: "person", plan: "llm-osd" };

function findDescriptor({ tables, state, call }: Recorded): ToolDescriptor {
  const advertised = findAdvertisedTool(tables, state, call.name);
  return advertised === undefined ? nameOnly(excerpt(call.name)) : createDescriptor(tables, advertised);
}

function nameOnly(name: string): ToolDescriptor {
  const none = { description: "", interfaceId: 0n, methodName: "", paramSchema: "", category: "" };
  return { name, ...none, permission: "forbidden" };
}

/** Canonical where the call came as far as its mode; whole where the call was sent upon this record, else cut, with the digest of the whole. */
function renderArguments(call: ToolCall, decision: Decision | undefined, isWhole: boolean): string {
  const text = findCanonical(call, decision) ?? call.arguments;
  if (isWhole || Buffer.byteLength(text) <= MAX_REPEATED_BYTES) return text;
  return `${cut(text, MAX_REPEATED_BYTES)} sha256 ${hash("sha256", text)}`;
}

function findCanonical(call: ToolCall, decision: Decision | undefined): string | undefined {
  if (decision?.kind === "gated") return decision.arguments;
  const canonical = decision?.mode === undefined ? undefined : canonicalizeArguments(call.arguments);
  return canonical?.ok === true ? canonical.value.text : undefined;
}
