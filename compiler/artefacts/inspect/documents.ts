// Describes the documents in an image: the list of its parts (SBOM), the attestation of its build, and the record of
// differences from an earlier image. Checks the signatures of the attestation and of the record.

import { verify } from "node:crypto";
import type { Signature } from "../../../engine/lib/wire/generated/manifest.ts";
import { DIFFERENCE_TYPE } from "../../../targets/attest/difference.ts";
import { computeKeyId, encodeSignedText, readEnvelope } from "../../../targets/attest/dsse.ts";
import { importPublicKey } from "../../../targets/manifest/signing.ts";
import type { Description } from "./description.ts";

/**
 * Describes the list of parts (SBOM) of an image. Its digest is not checked here, because the check of the manifest has
 * already compared it.
 */
export function describeParts(bytes: Uint8Array | undefined): Description {
  const parts = bytes === undefined ? undefined : listOf(parseJson(bytes), "packages");
  const lines = parts === undefined ? "parts   no list of them that can be read" : `parts   ${parts.length} are listed`;
  return { kind: "parts", facts: { sbom: parts?.map(describePart) ?? null }, lines: [lines], faults: [] };
}

function describePart(part: unknown): object {
  const of = (name: string): string | null => getText(part, name) ?? null;
  return { name: of("packageFileName") ?? of("name"), version: of("versionInfo"), licence: of("licenseDeclared") };
}

/** Describes the attestation of an image. `digests` contains the SHA-256 of the image's files by path, with a leading slash. */
export function describeProvenance(
  bytes: Uint8Array | undefined,
  signature: Signature | undefined,
  digests: ReadonlyMap<string, string>,
): Description {
  const read = bytes === undefined ? undefined : readStatement(bytes, signature?.publicKey, digests);
  if (read === undefined) return NO_PROVENANCE;
  const { statement, holds, subjects, strangers } = read;
  return {
    kind: "provenance",
    facts: { provenance: statement ?? null, provenanceHolds: holds },
    lines: [`made    as an attestation of ${subjects} files says, ${renderSigned(holds ? "valid" : "invalid")}`],
    faults: [
      ...(holds ? [] : ["its attestation is not signed by who signed the manifest"]),
      ...strangers.map((name) => `/${name} is not what the attestation says`),
    ],
  };
}

/**
 * Describes the attestation of an image without a signed manifest. `known` is the public key of this checkout, or
 * `undefined` if the checkout has none; `unnamed` are paths that no attestation covers.
 */
export function describeOwnProvenance(
  bytes: Uint8Array | undefined,
  known: Uint8Array | undefined,
  digests: ReadonlyMap<string, string>,
  unnamed: readonly string[],
): Description {
  const read = bytes === undefined ? undefined : readStatement(bytes, known, digests);
  if (read === undefined) return { ...NO_PROVENANCE, faults: ["there is no attestation that can be read"] };
  const { statement, holds, named, subjects, strangers } = read;
  const about = new Set(listOf(statement, "subject")?.map((each) => `/${getText(each, "name")}`));
  const added = [...digests.keys()].filter((path) => !about.has(path) && !unnamed.includes(path));
  const claimed = known !== undefined && named.includes(computeKeyId(known));
  const signer = claimed ? "the development key of this checkout" : describeUnknownSigner(named);
  return {
    kind: "provenance",
    facts: { provenance: statement ?? null, provenanceHolds: claimed ? holds : null, keyids: named },
    lines: [
      `made    as an attestation of ${subjects} files says, signed by ${signer}`,
      `        it cannot say what ${unnamed.join(", ")} are`,
    ],
    faults: [
      ...(claimed && !holds ? ["its attestation is not signed by the key that it names"] : []),
      ...strangers.map((name) => `/${name} is not what the attestation says`),
      ...added.map((path) => `${path} is not among what the attestation is about`),
    ],
  };
}

/** Maximum number of keys to show. An untrusted attestation may name any number of keys. */
const MOST_NAMED = 4;

function describeUnknownSigner(keyids: readonly string[]): string {
  const fingerprints = keyids.filter((each) => /^[0-9a-f]{64}$/.test(each)).slice(0, MOST_NAMED);
  const unknown = "a key that this checkout does not know";
  return fingerprints.length === 0 ? unknown : `${unknown}, which it names as ${fingerprints.join(", ")}`;
}

const NO_PROVENANCE: Description = {
  kind: "provenance",
  facts: { provenance: null, provenanceHolds: null },
  lines: ["made    nobody says how"],
  faults: [],
};

/** Describes the record of the differences in meaning from an earlier image; most images have no such record. */
export function describeDifference(
  bytes: Uint8Array | undefined,
  signature: Signature | undefined,
  digests: ReadonlyMap<string, string>,
): Description {
  const of = { kind: "difference", facts: { difference: null, differenceHolds: null }, lines: [], faults: [] };
  if (bytes === undefined) return of;
  const read = readStatement(bytes, signature?.publicKey, digests);
  if (read === undefined) return { ...of, faults: ["its record of what differs cannot be read"] };
  const { statement, holds, subjects, strangers } = read;
  const predicate = getField(statement, "predicate");
  const isOne = getText(statement, "predicateType") === DIFFERENCE_TYPE;
  return {
    kind: "difference",
    facts: { difference: predicate ?? null, differenceHolds: holds },
    lines: [`changed ${renderDifference(predicate)}, ${renderSigned(holds ? "valid" : "invalid")}`],
    faults: [
      ...(holds ? [] : ["its record of what differs is not signed by who signed the manifest"]),
      ...(isOne ? [] : [`its record of what differs is no statement of the type ${DIFFERENCE_TYPE}`]),
      ...(subjects === 0 ? ["its record of what differs is not about this image"] : []),
      ...strangers.map((name) => `its record of what differs is not about this /${name}`),
    ],
  };
}

/**
 * Names the earlier image and counts the changes by direction, for example `since lab 1.1.0 (tables 0123456789ab…): 1
 * widened, 0 moved, 2 narrowed`
 */
function renderDifference(predicate: unknown): string {
  const previous = getField(predicate, "previous");
  const [system = "", version = "", tables = ""] = ["system", "version", "tables"].map((name) =>
    getText(previous, name),
  );
  const directions = listOf(predicate, "changes")?.map((change) => getText(change, "direction")) ?? [];
  const counts = ["widened", "moved", "narrowed"].map((wanted) => {
    return `${directions.filter((direction) => direction === wanted).length} ${wanted}`;
  });
  return `since ${system} ${version} (tables ${tables.slice(0, 12)}…): ${counts.join(", ")}`;
}

function renderSigned(signature: "valid" | "invalid"): string {
  return signature === "valid" ? "signed by the image's signer" : "NOT signed by the image's signer";
}

interface StatementRead {
  readonly statement: unknown;
  /** Whether a signature of the statement verifies with the given public key. */
  readonly holds: boolean;
  /** Keys that the envelope names as its signers. */
  readonly named: readonly string[];
  /** Number of files that the statement is about (its subjects). */
  readonly subjects: number;
  /** Names of subjects whose file is missing or does not have the stated SHA-256. */
  readonly strangers: readonly string[];
}

function readStatement(
  bytes: Uint8Array,
  publicKey: Uint8Array | undefined,
  digests: ReadonlyMap<string, string>,
): StatementRead | undefined {
  const read = readEnvelope(bytes);
  if (read === undefined) return undefined;
  const { envelope, payload } = read;
  const key = publicKey === undefined ? undefined : importPublicKey(publicKey);
  const signed = encodeSignedText(envelope.payloadType, payload);
  const holds =
    key !== undefined && envelope.signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, "base64")));
  const statement = parseJson(payload);
  const subjects = listOf(statement, "subject") ?? [];
  const about = subjects.map((each) => ({ name: getText(each, "name") ?? "", digest: getField(each, "digest") }));
  const others = about.filter(({ name, digest }) => digests.get(`/${name}`) !== getText(digest, "sha256"));
  const named = envelope.signatures.map(({ keyid }) => `${keyid}`);
  return { statement, holds, named, subjects: subjects.length, strangers: others.map(({ name }) => name) };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

function getField(value: unknown, name: string): unknown {
  return value !== null && typeof value === "object" ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function listOf(value: unknown, name: string): readonly unknown[] | undefined {
  const list = getField(value, name);
  return Array.isArray(list) ? list : undefined;
}

function getText(value: unknown, name: string): string | undefined {
  const text = getField(value, name);
  return typeof text === "string" ? text : undefined;
}
