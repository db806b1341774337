// What an image says of its own parts and of how it was made, and whether the statement about that is its signer's.

import { verify } from "node:crypto";
import type { Signature } from "../../../engine/wire/generated/manifest.ts";
import { readEnvelope, signedText } from "../../../targets/attest/dsse.ts";
import { publicKeyOf } from "../../../targets/manifest/signing.ts";
import type { Description } from "./description.ts";

/** The list of parts. Its digest is the manifest's affair. */
export function describeParts(bytes: Uint8Array | undefined): Description {
  const parts = bytes === undefined ? undefined : listOf(jsonOf(bytes), "packages");
  const lines = parts === undefined ? "parts   no list of them that can be read" : `parts   ${parts.length} are listed`;
  return { kind: "parts", facts: { sbom: parts?.map(partFacts) ?? null }, lines: [lines], faults: [] };
}

function partFacts(part: unknown): object {
  const of = (name: string): string | null => textOf(part, name) ?? null;
  return { name: of("packageFileName") ?? of("name"), version: of("versionInfo"), licence: of("licenseDeclared") };
}

/** `digests`: SHA-256 of the image's files by path, with a leading slash. */
export function describeProvenance(
  bytes: Uint8Array | undefined,
  signature: Signature | undefined,
  digests: ReadonlyMap<string, string>,
): Description {
  const read = bytes === undefined ? undefined : readEnvelope(bytes);
  if (read === undefined) return NO_PROVENANCE;
  const { envelope, payload } = read;
  const key = signature === undefined ? undefined : publicKeyOf(signature.publicKey);
  const signed = signedText(envelope.payloadType, payload);
  const holds =
    key !== undefined && envelope.signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, "base64")));
  const statement = jsonOf(payload);
  const subjects = listOf(statement, "subject") ?? [];
  const named = subjects.map((each) => ({ name: textOf(each, "name") ?? "", digest: fieldOf(each, "digest") }));
  const others = named.filter(({ name, digest }) => digests.get(`/${name}`) !== textOf(digest, "sha256"));
  const verdict = holds ? "signed by the image's signer" : "NOT signed by the image's signer";
  return {
    kind: "provenance",
    facts: { provenance: statement ?? null, provenanceHolds: holds },
    lines: [`made    as an attestation of ${subjects.length} files says, ${verdict}`],
    faults: [
      ...(holds ? [] : ["its attestation is not signed by who signed the manifest"]),
      ...others.map(({ name }) => `/${name} is not what the attestation says`),
    ],
  };
}

const NO_PROVENANCE: Description = {
  kind: "provenance",
  facts: { provenance: null, provenanceHolds: null },
  lines: ["made    nobody says how"],
  faults: [],
};

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return value !== null && typeof value === "object" ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function listOf(value: unknown, name: string): readonly unknown[] | undefined {
  const list = fieldOf(value, name);
  return Array.isArray(list) ? list : undefined;
}

function textOf(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name);
  return typeof text === "string" ? text : undefined;
}
