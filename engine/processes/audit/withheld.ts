// Computes the digests that the log has in place of texts which the page keeps out of it. Short texts can be guessed,
// so a digest of the text alone would reveal them to each reader of an export. The digests therefore depend on a key
// that is on the disk, but in no record.

import { createHmac, hash } from "node:crypto";
import type { AuditEntry, CallRecord } from "../../lib/wire/generated/audit.ts";

export const DIGEST_KEY_BYTES = 32;

/** The values that these fields of a call's record have if the audit withholds none of the call's texts. */
export const NOTHING_WITHHELD: Pick<CallRecord, "argumentsHash" | "isWithheld" | "isResultWithheld" | "errorHash"> = {
  argumentsHash: new Uint8Array(0),
  isWithheld: false,
  isResultWithheld: false,
  errorHash: new Uint8Array(0),
};

/** Kinds of withheld text. Equal texts of different kinds have different digests. */
export const WITHHELD_KINDS = ["arguments", "result", "error", "detail", "message"] as const;
export type WithheldKind = (typeof WITHHELD_KINDS)[number];

/** Returns the 32 bytes of the digest that a record contains in place of a withheld text. */
export function digestText(key: Uint8Array, kind: WithheldKind, text: string | Uint8Array): Uint8Array {
  return digestHash(key, kind, hash("sha256", text, "buffer"));
}

/** Returns the digest of a text from its SHA-256. If the text is absent, its SHA-256 is empty, and so is the digest. */
function digestHash(key: Uint8Array, kind: WithheldKind, sha256: Uint8Array): Uint8Array {
  if (sha256.length === 0) return sha256;
  return new Uint8Array(
    createHmac("sha256", key).update(`capos-v1\0withheld-${kind}\0`, "latin1").update(sha256).digest(),
  );
}

/**
 * Returns the entry as it is recorded. The writer sends the SHA-256 of each withheld text; the record has a
 * digest that is computed with `key` instead.
 */
export function keyDigests(entry: AuditEntry, key: Uint8Array): AuditEntry {
  switch (entry.which) {
    case "intent":
      return hasDigests(entry.intent) ? { which: "intent", intent: keyCall(entry.intent, key) } : entry;
    case "outcome":
      return hasDigests(entry.outcome) ? { which: "outcome", outcome: keyCall(entry.outcome, key) } : entry;
    case "session": {
      const { session } = entry;
      if (session.digest.length === 0) return entry;
      return { which: "session", session: { ...session, digest: digestHash(key, "detail", session.digest) } };
    }
    case "inference": {
      const { inference } = entry;
      if (!inference.isWithheld) return entry;
      const messages = inference.messages.map((one) => ({ ...one, hash: digestHash(key, "message", one.hash) }));
      return { which: "inference", inference: { ...inference, messages } };
    }
    case "boot":
    case "seal":
    case "shipped":
    case "checkpoint":
    case "released":
      return entry;
  }
}

function hasDigests({ isWithheld, isResultWithheld, errorHash }: CallRecord): boolean {
  return isWithheld || isResultWithheld || errorHash.length > 0;
}

function keyCall(call: CallRecord, key: Uint8Array): CallRecord {
  return {
    ...call,
    argumentsHash: digestHash(key, "arguments", call.argumentsHash),
    resultHash: call.isResultWithheld ? digestHash(key, "result", call.resultHash) : call.resultHash,
    errorHash: digestHash(key, "error", call.errorHash),
  };
}

/** Returns why a record of a call contradicts itself, or `undefined` if it does not. A record has either a text or its digest, not both. */
export function findKeptText({
  isWithheld,
  arguments: text,
  argumentsHash,
  error,
  errorHash,
}: CallRecord): string | undefined {
  const hasDigest = argumentsHash.length > 0;
  if (isWithheld && !hasDigest) return "a call withholds its arguments and has no digest of them";
  if (!isWithheld && hasDigest) return "a call has a digest of its arguments and does not withhold them";
  if (isWithheld && text !== "") return "a call has the arguments that it withholds";
  return errorHash.length > 0 && error !== "" ? "a call has the error that it withholds" : undefined;
}
