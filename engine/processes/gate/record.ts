// A call as the audit records it. Everything in a record is the gate's own knowledge, except the call's id, name and arguments, which
// come from the proposal.
import { hash } from "node:crypto";
import {
  applyRelease,
  type Conversation,
  canonicalizeArguments,
  type Decision,
  findAdvertisedTool,
  formatLabel,
  type IndexedTables,
  type Label,
  mayRecord,
} from "../../lib/policy/index.ts";
import type { ArgumentForm, CallRecord, PermissionDecision, ReleaseRecord } from "../../lib/wire/generated/audit.ts";
import type { ToolCall, ToolDescriptor } from "../../lib/wire/generated/capos.ts";
import type { Inquiry } from "./asking.ts";
import { createDescriptor } from "./descriptors.ts";
import type { Ending } from "./ending.ts";
import { cut, excerpt } from "./result.ts";

/** Origin of a proposed call: an inference of the loop, an action plan, or a person who typed the call. */
export type Origin =
  | {
      readonly by: "loop";
      readonly model: string;
      readonly backend: string;
      readonly nonce: Uint8Array;
      /** SHA-256 of the list of tools from which the loop proposed the call. */
      readonly descriptors: Uint8Array;
      /** Form in which the arguments were sent. */
      readonly form: ArgumentForm;
    }
  | { readonly by: "plan" }
  | { readonly by: "person" };

/** The session whose calls are recorded, and the policy tables. */
interface Writer {
  readonly tables: IndexedTables;
  readonly session: string;
}

/** The content of a call's record, except the end of the call. */
export interface CallFacts {
  /** State in which the call was judged; it determines the advertised tools. */
  readonly state: Conversation;
  /** Label of the proposal and of everything that the conversation had seen when the call was decided. */
  readonly label: Label;
  readonly conversation: string;
  readonly turn: number;
  readonly call: ToolCall;
  readonly origin: Origin;
  /** Absent if the call was refused before it was judged. */
  readonly decision?: Decision | undefined;
  readonly permission: PermissionDecision;
  readonly principal: string;
  /** Number of the remembered consent under which the call ran, or which its approval created. 0 if there is none. */
  readonly consent: number;
  readonly inquiry: Inquiry;
}

/**
 * Maximum bytes of arguments in a record that is not an intent. This limit keeps refused calls from filling the disk. An intent has all
 * arguments.
 */
export const MAX_REPEATED_BYTES = 4096;
const NOTHING = new Uint8Array();
/** Replaces a call's id, and the name of an unknown tool, if the page keeps the arguments out of the log. */
export const WITHHELD = "withheld";

/** The end of a call. */
export interface Told {
  readonly ending: Ending;
  /** Label of the text of the ending. */
  readonly label: Label;
  /** Whether only the gate and the page worded the ending; otherwise it may quote the arguments or the service. */
  readonly isOwnWords: boolean;
}

/** Returns the record of a call that is about to be sent, with all of its arguments. */
export function buildIntent(writer: Writer, facts: CallFacts): CallRecord {
  return build(writer, facts, NOT_ENDED);
}

/** Returns the record of a call's outcome. `intent` is the sequence number of the intent that the outcome closes; 0 if there is none. */
export function buildOutcome(writer: Writer, facts: CallFacts, told: Told, intent: bigint): CallRecord {
  return build(writer, facts, { kind: "outcome", told, intent });
}

/** Returns the only record of a call that was sent without an intent; it contains everything that an intent would contain. */
export function buildSoleRecord(writer: Writer, facts: CallFacts, told: Told): CallRecord {
  return build(writer, facts, { kind: "sole", told, intent: 0n });
}

interface End {
  readonly kind: "intent" | "outcome" | "sole";
  readonly told: Told | undefined;
  readonly intent: bigint;
}

const NOT_ENDED: End = { kind: "intent", told: undefined, intent: 0n };

/**
 * Builds a record field by field. The gate runs without a JIT compiler, so copying objects into each other would cost
 * as much as all other work.
 */
function build({ tables, session }: Writer, facts: CallFacts, { kind, told, intent }: End): CallRecord {
  const { origin, decision } = facts;
  const ending = told?.ending;
  const isWithheld = !mayRecord(tables, facts.label);
  const isEndWithheld = told !== undefined && !mayRecord(tables, told.label);
  const error = excerpt(ending?.error ?? "");
  const isErrorWithheld = error !== "" && told?.isOwnWords === false && (isWithheld || isEndWithheld);
  const loop = origin.by === "loop" ? origin : NO_LOOP;
  return {
    session,
    principal: facts.principal,
    conversation: facts.conversation,
    turn: facts.turn,
    callId: isWithheld ? WITHHELD : excerpt(facts.call.id),
    model: loop.model,
    backend: loop.backend,
    nonce: loop.nonce,
    runner: RUNNERS[origin.by],
    gateway: "",
    descriptor: findDescriptor(tables, facts, isWithheld ? "withheld" : "kept"),
    arguments: isWithheld ? "" : kind === "outcome" ? renderCutArguments(facts) : renderWholeArguments(facts),
    decision: facts.permission,
    outcome: ending?.outcome ?? "ok",
    resultHash: ending?.outcome === "ok" ? hash("sha256", ending.content, "buffer") : NOTHING,
    error: isErrorWithheld ? "" : error,
    rule: tables.rules[decision?.rule ?? -1]?.id ?? "",
    intent,
    descriptors: loop.descriptors,
    consent: facts.consent,
    sent: kind === "sole",
    form: loop.form,
    askedMs: facts.inquiry.askedMs,
    surface: facts.inquiry.surface,
    argumentsHash: isWithheld ? hash("sha256", renderWholeArguments(facts), "buffer") : NOTHING,
    isWithheld,
    isResultWithheld: isEndWithheld,
    errorHash: isErrorWithheld ? hash("sha256", error, "buffer") : NOTHING,
    release: describeRelease(tables, facts),
  };
}

/** Returns the release that the call needs, with the labels before and after it as the page names them. */
function describeRelease(tables: IndexedTables, { decision, state }: CallFacts): ReleaseRecord {
  const index = decision?.kind === "gated" ? decision.release : undefined;
  const release = index === undefined ? undefined : tables.releases[index];
  if (release === undefined) return NO_RELEASE;
  return {
    rule: tables.rules[release.rule]?.id ?? "",
    act: release.act,
    from: formatLabel(tables.lattice, state.label),
    to: formatLabel(tables.lattice, applyRelease(release, state.label)),
  };
}

const NO_RELEASE: ReleaseRecord = { rule: "", act: "", from: "", to: "" };

const NO_LOOP = { model: "", backend: "", nonce: NOTHING, descriptors: NOTHING, form: "json" } as const;
const RUNNERS: Readonly<Record<Origin["by"], string>> = { loop: "capos-side", person: "person", plan: "llm-osd" };

function findDescriptor(tables: IndexedTables, { state, call }: CallFacts, text: "kept" | "withheld"): ToolDescriptor {
  const advertised = findAdvertisedTool(tables, state, call.name);
  if (advertised !== undefined) return createDescriptor(tables, advertised);
  // A name that is not on the page may be any text, so it is withheld like the arguments.
  return nameOnly(text === "kept" || tables.toolIndex.has(call.name) ? excerpt(call.name) : WITHHELD);
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

/** Returns the arguments; if they are too long they are cut, and the digest of the whole text follows. */
function renderCutArguments(facts: CallFacts): string {
  const text = renderWholeArguments(facts);
  if (Buffer.byteLength(text) <= MAX_REPEATED_BYTES) return text;
  return `${cut(text, MAX_REPEATED_BYTES)} sha256 ${hash("sha256", text)}`;
}
