// A call as the audit records it. Everything in it is the gate's own knowledge, except the call's id, name and arguments, which come from
// the proposal.
import { hash } from "node:crypto";
import {
  type Conversation,
  canonicalizeArguments,
  type Decision,
  findAdvertisedTool,
  type IndexedTables,
} from "../../lib/policy/index.ts";
import type { ArgumentForm, CallRecord, PermissionDecision } from "../../lib/wire/generated/audit.ts";
import type { ToolCall, ToolDescriptor } from "../../lib/wire/generated/capos.ts";
import type { Inquiry } from "./asking.ts";
import { createDescriptor } from "./descriptors.ts";
import type { Ending } from "./ending.ts";
import { cut, excerpt } from "./result.ts";

/** Origin of a proposed call: the loop by an inference, an action plan, or a person who typed it. */
export type Origin =
  | {
      readonly by: "loop";
      readonly model: string;
      readonly backend: string;
      readonly nonce: Uint8Array;
      /** SHA-256 of the list of tools from which the loop proposed the call. */
      readonly descriptors: Uint8Array;
      /** How the arguments were handed in. */
      readonly form: ArgumentForm;
    }
  | { readonly by: "plan" }
  | { readonly by: "person" };

/** Session of the records, and its tables. */
interface Writer {
  readonly tables: IndexedTables;
  readonly session: string;
}

/** Content of a call's record, besides its end. */
export interface CallFacts {
  /** State in which the call was judged; it determines the advertised tools. */
  readonly state: Conversation;
  readonly conversation: string;
  readonly turn: number;
  readonly call: ToolCall;
  readonly origin: Origin;
  /** Absent if the call was refused before it was judged. */
  readonly decision?: Decision | undefined;
  readonly permission: PermissionDecision;
  readonly principal: string;
  /** Number of the remembered consent under which the call ran, or that was given with it; 0 if there is none. */
  readonly consent: number;
  readonly inquiry: Inquiry;
}

/** Most bytes of arguments in records other than intents, which contain all of them: refused calls must not fill the disk. */
export const MAX_REPEATED_BYTES = 4096;
const NOTHING = new Uint8Array();

/** Returns the record of a call that is about to be sent, with all of its arguments. */
export function buildIntent(writer: Writer, facts: CallFacts): CallRecord {
  return build(writer, facts, NOT_ENDED);
}

/** Returns the record of a call's outcome. `intent`: sequence of the intent that it closes; 0 if there is none. */
export function buildOutcome(writer: Writer, facts: CallFacts, ending: Ending, intent: bigint): CallRecord {
  return build(writer, facts, { kind: "outcome", ending, intent });
}

/** Returns the only record of a call that was sent without an intent; it contains all that an intent would. */
export function buildSoleRecord(writer: Writer, facts: CallFacts, ending: Ending): CallRecord {
  return build(writer, facts, { kind: "sole", ending, intent: 0n });
}

interface End {
  readonly kind: "intent" | "outcome" | "sole";
  readonly ending: Ending | undefined;
  readonly intent: bigint;
}

const NOT_ENDED: End = { kind: "intent", ending: undefined, intent: 0n };

/** Builds a record field by field: without a compiler, copying objects into each other costs as much as all the rest. */
function build({ tables, session }: Writer, facts: CallFacts, { kind, ending, intent }: End): CallRecord {
  const { origin, decision } = facts;
  const loop = origin.by === "loop" ? origin : NO_LOOP;
  return {
    session,
    principal: facts.principal,
    conversation: facts.conversation,
    turn: facts.turn,
    callId: excerpt(facts.call.id),
    model: loop.model,
    backend: loop.backend,
    nonce: loop.nonce,
    runner: RUNNERS[origin.by],
    gateway: "",
    descriptor: findDescriptor(tables, facts),
    arguments: kind === "outcome" ? renderCutArguments(facts) : renderWholeArguments(facts),
    decision: facts.permission,
    outcome: ending?.outcome ?? "ok",
    resultHash: ending?.outcome === "ok" ? hash("sha256", ending.content, "buffer") : NOTHING,
    error: excerpt(ending?.error ?? ""),
    rule: tables.rules[decision?.rule ?? -1]?.id ?? "",
    intent,
    descriptors: loop.descriptors,
    consent: facts.consent,
    sent: kind === "sole",
    form: loop.form,
    askedMs: facts.inquiry.askedMs,
    surface: facts.inquiry.surface,
  };
}

const NO_LOOP = { model: "", backend: "", nonce: NOTHING, descriptors: NOTHING, form: "json" } as const;
const RUNNERS: Readonly<Record<Origin["by"], string>> = { loop: "capos-side", person: "person", plan: "llm-osd" };

function findDescriptor(tables: IndexedTables, { state, call }: CallFacts): ToolDescriptor {
  const advertised = findAdvertisedTool(tables, state, call.name);
  return advertised === undefined ? nameOnly(excerpt(call.name)) : createDescriptor(tables, advertised);
}

function nameOnly(name: string): ToolDescriptor {
  const none = { description: "", interfaceId: 0n, methodName: "", paramSchema: "", category: "" };
  return { name, ...none, permission: "forbidden" };
}

/** Returns all arguments, in canonical form if the call was decided. */
function renderWholeArguments({ call, decision }: CallFacts): string {
  if (decision?.kind === "gated") return decision.arguments;
  const canonical = decision?.mode === undefined ? undefined : canonicalizeArguments(call.arguments);
  return canonical?.ok === true ? canonical.value.text : call.arguments;
}

/** Returns the arguments; if they are too long they are cut, and the digest of the whole follows. */
function renderCutArguments(facts: CallFacts): string {
  const text = renderWholeArguments(facts);
  if (Buffer.byteLength(text) <= MAX_REPEATED_BYTES) return text;
  return `${cut(text, MAX_REPEATED_BYTES)} sha256 ${hash("sha256", text)}`;
}
