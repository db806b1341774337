import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createEnvelope } from "../../../targets/attest/dsse.ts";
import { createSigningKey, type SigningKey, signArtefact } from "../../../targets/manifest/signing.ts";
import { describeDifference, describeParts, describeProvenance } from "./documents.ts";
import { readSignature } from "./signature.ts";

const key = createSigningKey(generateKeyPairSync("ed25519").privateKey, "development");
const signature = readSignature(
  signArtefact({ purpose: "image", systemId: "lab", version: "1.0.0" }, Buffer.from("m"), key),
);
const DIGEST = "ab".repeat(32);
const digests = new Map([["/capos/manifest.bin", DIGEST]]);

function attested(statement: unknown, signer: SigningKey = key): Buffer {
  const payload = Buffer.from(JSON.stringify(statement));
  return Buffer.from(JSON.stringify(createEnvelope("application/vnd.in-toto+json", payload, signer)));
}

const STATEMENT = { subject: [{ name: "capos/manifest.bin", digest: { sha256: DIGEST } }] };

test("an attestation is accepted only if the signer of the manifest signed it", () => {
  expect(describeProvenance(attested(STATEMENT), signature, digests).faults).toEqual([]);
  const other = createSigningKey(generateKeyPairSync("ed25519").privateKey, "development");
  expect(describeProvenance(attested(STATEMENT, other), signature, digests).faults).toEqual([
    "its attestation is not signed by who signed the manifest",
  ]);
});

test("a file that differs from its attested digest is a fault, which names the file", () => {
  const wrong = { subject: [...STATEMENT.subject, { name: "gone", digest: { sha256: DIGEST } }, { name: "bare" }] };
  expect(describeProvenance(attested(wrong), signature, digests).faults).toEqual([
    "/gone is not what the attestation says",
  ]);
  const changed = new Map([["/capos/manifest.bin", "cd".repeat(32)]]);
  expect(describeProvenance(attested(STATEMENT), signature, changed).faults).toEqual([
    "/capos/manifest.bin is not what the attestation says",
  ]);
});

test("a difference record is shown, and is a fault if its signer, its type or its subject is wrong", () => {
  const previous = { system: "lab", version: "0.9.0", tables: "cd".repeat(32) };
  const predicate = { previous, changes: [{ direction: "widened" }, { direction: "narrowed" }, null] };
  const record = { ...STATEMENT, predicateType: "urn:capos:capc:difference:1", predicate };
  const { lines, faults } = describeDifference(attested(record), signature, digests);
  expect({ lines, faults }).toEqual({
    lines: [
      "changed since lab 0.9.0 (tables cdcdcdcdcdcd…): 1 widened, 0 moved, 1 narrowed, signed by the image's signer",
    ],
    faults: [],
  });
  const faultsOf = (bytes: Uint8Array, of = digests) => describeDifference(bytes, signature, of).faults.join("; ");
  const other = createSigningKey(generateKeyPairSync("ed25519").privateKey, "development");
  expect(faultsOf(attested(record, other))).toContain("is not signed by who signed the manifest");
  expect(faultsOf(attested({ ...record, predicateType: "https://slsa.dev/provenance/v1" }))).toContain(
    "of the type urn:",
  );
  expect(faultsOf(attested(record), new Map())).toContain("is not about this /capos/manifest.bin");
  expect(faultsOf(attested({ ...record, subject: [] }))).toContain("is not about this image");
  expect(faultsOf(Buffer.from("noise"))).toBe("its record of what differs cannot be read");
  expect(describeDifference(undefined, signature, digests)).toMatchObject({ lines: [], faults: [] });
});

test("property: any bytes give a one-line description of an attestation or parts list, and a fault of a difference record", () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.json().map((json) => Buffer.from(json)),
    fc.jsonValue().map((value) => attested({ subject: value, packages: value })),
    fc.array(fc.jsonValue()).map((subject) => attested({ subject })),
  );
  fc.assert(
    fc.property(bytes, (each) => {
      expect(describeProvenance(each, signature, digests).lines).toHaveLength(1);
      expect(describeParts(each).lines).toHaveLength(1);
      expect(describeDifference(each, signature, digests).faults).not.toEqual([]);
    }),
  );
  const parts = fc.array(fc.jsonValue()).map((packages) => Buffer.from(JSON.stringify({ packages })));
  fc.assert(
    fc.property(parts, (each) => {
      expect(describeParts(each).lines).toHaveLength(1);
    }),
  );
  expect(describeParts(undefined).facts).toEqual({ sbom: null });
});
