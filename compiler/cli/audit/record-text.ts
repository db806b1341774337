// Prints a record for people (one line) and for programs (plain JSON values). Models and tools wrote the content of a record: the caller
// must escape lines with `escapeInvisible`.

import { canonicalizeArguments } from "../../../engine/lib/policy/index.ts";
import type {
  AuditEntry,
  CallRecord,
  InferenceRecord,
  PermissionDecision,
  ReleaseRecord,
} from "../../../engine/lib/wire/generated/audit.ts";
import type { VerifiedRecord } from "../../../engine/processes/audit/verify.ts";
import { formatSeconds } from "../../queries/activity/index.ts";
import { readWallMs } from "../../queries/replay/index.ts";

export function encodeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Returns a line with the sequence, the time, the writer and the event. */
export function renderRecord({ record }: VerifiedRecord): string {
  const { sequence, wallMs, wallSource, monotonicMs, writer, entry, policyDigest } = record;
  const clock = `${formatTime(wallMs, wallSource)} +${(Number(monotonicMs) / 1000).toFixed(3)}s`;
  const policy = entry.which === "boot" ? `, policy ${encodeHex(policyDigest).slice(0, 16)}` : "";
  return `${String(sequence).padStart(6)}  ${clock}  ${writer}  ${describeEntry(entry)}${policy}`;
}

function formatTime(wallMs: bigint, wallSource: string): string {
  if (wallMs === 0n) return "unknown time";
  const ms = readWallMs(wallMs);
  return ms === undefined ? `${wallMs} ms (${wallSource})` : `${new Date(ms).toISOString()} (${wallSource})`;
}

/** Returns a moment as `2027-01-30 09:05:00`, in UTC. */
export function formatSecond(wallMs: bigint): string {
  const ms = readWallMs(wallMs);
  return ms === undefined ? "unknown time" : new Date(ms).toISOString().slice(0, -".000Z".length).replace("T", " ");
}

function describeEntry(entry: AuditEntry): string {
  switch (entry.which) {
    case "boot": {
      const { systemId, version, recovered, orphans } = entry.boot;
      const cut = recovered === 0 ? "" : `, ${recovered} bytes of a torn record cut`;
      const open = orphans.length === 0 ? "" : `, effect unknown of ${orphans.join(" ")}`;
      return `boot of ${systemId} ${version}${cut}${open}`;
    }
    case "intent":
      return `intent ${callText(entry.intent)}; ${describeGate(entry.intent)}`;
    case "outcome":
      return `outcome ${callText(entry.outcome)}; ${describeGate(entry.outcome)}; ${describeOutcome(entry.outcome)}`;
    case "session": {
      const { name, event, detail, digest } = entry.session;
      const withheld = digest.length === 0 ? "" : `, ${describeWithheld("text", digest)}`;
      return `session ${name}: ${event}${detail === "" ? "" : ` ${detail}`}${withheld}`;
    }
    case "seal":
      return `seal ${entry.seal.epoch} of all records before it, by the key ${encodeHex(entry.seal.key)}`;
    case "shipped":
      return `the collector has all up to ${entry.shipped}`;
    case "checkpoint": {
      const { segments, open } = entry.checkpoint;
      const begun = open.length === 0 ? "" : `, no outcome so far of ${open.map(({ sequence }) => sequence).join(" ")}`;
      return `checkpoint: segment ${segments.length + 1} of the log begins${begun}`;
    }
    case "released": {
      const { through, hash, by } = entry.released;
      return `released all up to ${through}, because they were ${by}; its hash is ${encodeHex(hash)}`;
    }
    case "inference":
      return describeInference(entry.inference);
  }
}

/**
 * Describes an inference. It shows the digests of the messages that no earlier record of the conversation contains, but
 * not the messages themselves.
 */
function describeInference({
  backend,
  usage,
  session,
  conversation,
  turn,
  messages,
  earlier,
  nonce,
  recalled,
  masked,
  isWithheld,
}: InferenceRecord): string {
  const used = `${usage.promptTokens} tokens read and ${usage.outputTokens} written`;
  const kind = isWithheld ? "digest" : "sha256";
  const told = messages.map(
    ({ role, bytes, hash }) => `${role} ${bytes} bytes ${kind} ${encodeHex(hash).slice(0, 16)}`,
  );
  const known = earlier === 0 ? [] : [`${earlier} messages told before`];
  const again = recalled.length === 0 ? [] : [`sayings ${recalled.join(", ")} recalled`];
  const hidden = masked.map(({ redaction, places }) => `${places} places of ${redaction} masked`);
  const place = `(${session}, ${conversation}, turn ${turn}, request ${encodeHex(nonce)})`;
  return `answer of ${backend} ${place}; ${used}; ${[...hidden, ...known, ...again, ...told].join(", ")}`;
}

function callText(call: CallRecord): string {
  const { descriptor, form, session, conversation, turn, callId, isWithheld } = call;
  const handedIn = form === "json" ? "" : ", as a message";
  const name = quoteUnlessPlain(descriptor.name, PLAIN_NAME.test(descriptor.name) ? "plain" : "odd");
  const what = `${name} ${isWithheld ? describeWithheld("arguments", call.argumentsHash) : renderArguments(call.arguments)}`;
  return `${what} (${session}, ${conversation}, turn ${turn}, ${callId}${handedIn})`;
}

/** Describes text that the page keeps out of the log. */
function describeWithheld(what: string, digest: Uint8Array): string {
  return `(${what} withheld, digest ${encodeHex(digest)})`;
}

/**
 * Form of the names of tools that exist. The record of a refused call has the name as the model wrote it, which may be
 * any text.
 */
const PLAIN_NAME = /^[\w.-]+$/;

/**
 * Renders the arguments of a call. Arguments that are not canonical JSON are quoted, because they may be any text of a
 * model.
 */
function renderArguments(text: string): string {
  const canonical = canonicalizeArguments(text);
  return quoteUnlessPlain(text, canonical.ok && canonical.value.text === text ? "plain" : "odd");
}

/** Quotes text that a model wrote, so that it cannot imitate the gate's decision or the outcome that follows it. */
function quoteUnlessPlain(text: string, form: "plain" | "odd"): string {
  return form === "plain" ? text : JSON.stringify(text);
}

function describeGate({ decision, rule, principal, consent, askedMs, surface, release }: CallRecord): string {
  const by = principal === "" ? [] : [`by ${principal}`];
  const under = consent === 0 ? [] : [`consent ${consent}`];
  const asked = surface === "" ? [] : [`asked for ${formatSeconds(askedMs)} at ${surface}`];
  const released = release.rule === "" ? [] : [describeRelease(release, decision), `rule ${release.rule}`];
  return [decision, ...by, ...under, ...(rule === "" ? [] : [`rule ${rule}`]), ...asked, ...released].join(", ");
}

/**
 * Describes the release that a call needed: `released from secret to public by declassify`, or states that nobody approved
 * the release.
 */
export function describeRelease({ act, from, to }: ReleaseRecord, decision: PermissionDecision): string {
  return `${RELEASING.has(decision) ? "released" : "not released"} from ${from} to ${to} by ${act}`;
}

const RELEASING: ReadonlySet<PermissionDecision> = new Set(["consented", "remembered", "stepUpSucceeded"]);

function describeOutcome(call: CallRecord): string {
  const { outcome, error, errorHash, intent, sent, resultHash, isResultWithheld } = call;
  const of = intent === 0n ? (sent ? ["sent without an intent"] : []) : [`of intent ${intent}`];
  const reason = errorHash.length === 0 ? error : describeWithheld("error", errorHash);
  const words = [outcome, ...(reason === "" ? [] : [reason]), ...of];
  const kind = isResultWithheld ? "result digest" : "result";
  return [...words, ...(resultHash.length === 0 ? [] : [`${kind} ${encodeHex(resultHash)}`])].join(", ");
}

/** Returns the whole record as one JSON object: bytes as hexadecimal, 64-bit numbers as numbers if JSON represents them exactly. */
export function recordAsJson({ record, hash, offset, length }: VerifiedRecord): string {
  return renderJson({ offset, length, hash, ...record });
}

export function renderJson(value: unknown, indent?: number): string {
  const replaceValue = (_: string, inner: unknown): unknown => {
    if (typeof inner === "bigint") return inner <= Number.MAX_SAFE_INTEGER ? Number(inner) : String(inner);
    return inner instanceof Uint8Array ? encodeHex(inner) : inner;
  };
  return JSON.stringify(replaceBytes(value), replaceValue, indent);
}

/**
 * Replaces all bytes in a value by hexadecimal text. A replacer of `JSON.stringify` cannot do this, because a Buffer
 * converts itself to a list before the replacer receives it.
 */
function replaceBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return encodeHex(value);
  if (Array.isArray(value)) return value.map(replaceBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaceBytes(inner)]));
}
