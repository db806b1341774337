import type { AuditRecord, CallRecord } from "../../../lib/wire/generated/audit.ts";
import { AuditLog, type AuditLogStatusResults } from "../../../lib/wire/generated/wire.ts";
import { escapeArrows, renderToolName } from "../drawn-text.ts";
import { NEIGHBOUR_MS } from "../ports.ts";
import { excerpt } from "../result.ts";
import type { CommandParts, Lines } from "./parts.ts";

const STANDARD_COUNT = 10;
const MOST = 100;

export async function showRecentRecords({ gate }: CommandParts, argument: string): Promise<Lines> {
  const count = argument === "" ? STANDARD_COUNT : /^\d{1,3}$/.test(argument) ? Number(argument) : 0;
  if (count < 1 || count > MOST) return [`/audit takes a number from 1 to ${MOST}`];
  const { audit } = gate.parts;
  const status = await audit.call(AuditLog.methods.status, {}, { timeoutMs: NEIGHBOUR_MS });
  const reply = await audit.call(AuditLog.methods.tail, { count }, { timeoutMs: NEIGHBOUR_MS });
  if (!reply.ok) return [`the audit does not answer: ${reply.reason}`];
  const end = status.ok ? endWords(status.value) : [];
  return [...reply.value.records.map(recordLine), ...end];
}

function endWords(status: AuditLogStatusResults): Lines {
  const { durable, sequence, hash, refusal, key, sealed, shipping } = status;
  const kept = key.length === 0 ? [] : [`sealed up to ${sealed}, audit key ${encodeHex(key)}`];
  const end = `the chain ends at ${sequence}, sha256 ${encodeHex(hash)}`;
  const stop = durable
    ? ""
    : `; nothing more is recorded durably${refusal === "" ? "" : `, and no call runs: ${refusal}`}`;
  return [...kept, ...(shipping === "" ? [] : [shipping]), `${end}${stop}`];
}

function recordLine({ sequence, entry }: AuditRecord): string {
  switch (entry.which) {
    case "boot":
      return `${sequence} boot of ${entry.boot.systemId} ${entry.boot.version}`;
    case "session":
      return `${sequence} ${entry.session.event} ${excerpt(entry.session.detail)}${entry.session.digest.length === 0 ? "" : " (text withheld)"}`;
    case "seal":
      return `${sequence} seal ${entry.seal.epoch}`;
    case "shipped":
      return `${sequence} shipped up to ${entry.shipped}`;
    case "checkpoint":
      return `${sequence} checkpoint`;
    case "released":
      return `${sequence} released up to ${entry.released.through}`;
    case "inference": {
      const { backend, usage, turn, masked } = entry.inference;
      const hidden = masked.map(({ redaction, places }) => `, ${places} places of ${redaction} masked`).join("");
      return `${sequence} answer of ${backend} in turn ${turn}: ${usage.promptTokens} tokens read, ${usage.outputTokens} written${hidden}`;
    }
    case "intent":
      return `${sequence} intent: ${callWords(entry.intent)}`;
    case "outcome":
      return `${sequence} outcome: ${callWords(entry.outcome)} → ${entry.outcome.outcome}`;
  }
}

/**
 * Describes a call of a record. The loop can choose the id "typed" for a call of its own, so the text also states who
 * ran the call.
 */
function callWords(call: CallRecord): string {
  const { callId, runner, descriptor, arguments: args, form, decision, principal, isWithheld } = call;
  const words = `${renderToolName(descriptor.name)} ${isWithheld ? "(arguments withheld)" : escapeArrows(excerpt(args))}`;
  return `${callId} of ${runner}${form === "json" ? "" : ", as a message,"} ${words} ${decision}${principal === "" ? "" : ` (${principal})`}`;
}

function encodeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
