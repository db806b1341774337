import { generateKeyPairSync, sign, verify } from "node:crypto";
import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeKeyId, encodeSignedText, readEnvelope } from "./dsse.ts";
import { createProvenance, type ProvenanceContext } from "./provenance.ts";
import { examplePolicy } from "./testing/policy.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const raw = new Uint8Array(publicKey.export({ type: "spki", format: "der" }).subarray(-32));

const CONTEXT: ProvenanceContext = {
  subjects: [{ name: "capos/manifest.bin", sha256: "ab".repeat(32) }],
  materials: [
    { name: "system.cap", sha256: "cd".repeat(32) },
    { name: "lib/libc.so.6", sha256: "ef".repeat(32), purl: "pkg:deb/debian/libc6@2?arch=amd64" },
    { name: "esbuild", purl: "pkg:npm/esbuild@1.2.3" },
  ],
  key: { publicKey: raw, sign: (bytes) => sign(null, bytes, privateKey) },
  versions: { capc: "1.2.3", node: "24.0.0" },
  sourceDateEpoch: 1_700_000_000,
};

function made(context: ProvenanceContext = CONTEXT): Uint8Array {
  const outcome = createProvenance(examplePolicy(), context);
  const [artifact] = outcome.ok ? outcome.value : [];
  if (artifact === undefined || !(artifact.bytes instanceof Uint8Array)) throw new Error("no attestation");
  return artifact.bytes;
}

function opened(bytes: Uint8Array) {
  const read = readEnvelope(bytes);
  if (read === undefined) throw new Error("it is no envelope");
  return { ...read, statement: JSON.parse(read.payload.toString("utf8")) };
}

const text = { type: "string", minLength: 1 };
const uri = { type: "string", pattern: "^[a-z]+:\\S+$" };
const time = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" };
const digest = {
  type: "object",
  properties: { sha256: { type: "string", pattern: "^[0-9a-f]{64}$" } },
  required: ["sha256"],
  additionalProperties: false,
};
const closed = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** Exactly the fields that in-toto's statement v1 and SLSA's provenance v1 require. */
const STATEMENT = closed({
  _type: { const: "https://in-toto.io/Statement/v1" },
  subject: { type: "array", minItems: 1, items: closed({ name: text, digest }) },
  predicateType: { const: "https://slsa.dev/provenance/v1" },
  predicate: closed({
    buildDefinition: closed({
      buildType: uri,
      externalParameters: { type: "object" },
      internalParameters: { type: "object" },
      resolvedDependencies: {
        type: "array",
        // A material has a digest, a uri, or both.
        items: { anyOf: [closed({ uri, name: text, digest }, ["name", "digest"]), closed({ uri, name: text })] },
      },
    }),
    runDetails: closed({
      builder: closed({ id: uri, version: { type: "object", additionalProperties: text } }),
      metadata: closed({ startedOn: time, finishedOn: time }),
    }),
  }),
});

test("the statement has the form of in-toto and SLSA, and names its subjects and materials", () => {
  const { statement, envelope } = opened(made());
  const validate = new Ajv({ allErrors: true }).compile(STATEMENT);
  expect([validate(statement), validate.errors]).toEqual([true, null]);
  expect(statement.subject).toEqual([{ name: "capos/manifest.bin", digest: { sha256: "ab".repeat(32) } }]);
  const { buildDefinition, runDetails } = statement.predicate;
  expect(buildDefinition.externalParameters).toMatchObject({ systemId: "lab", version: "1.2.0" });
  expect(buildDefinition.resolvedDependencies.map(({ name }: { name: string }) => name)).toEqual([
    "system.cap",
    "lib/libc.so.6",
    "esbuild",
  ]);
  expect(runDetails.metadata.startedOn).toBe("2023-11-14T22:13:20Z");
  expect(envelope.payloadType).toBe("application/vnd.in-toto+json");
});

test("the signature of the envelope covers its type and its payload, and two builds give the same envelope", () => {
  const { envelope, payload } = opened(made());
  const [signature] = envelope.signatures;
  const sig = Buffer.from(signature?.sig ?? "", "base64");
  expect(signature?.keyid).toBe(computeKeyId(raw));
  expect(verify(null, encodeSignedText(envelope.payloadType, payload), publicKey, sig)).toBe(true);
  expect(verify(null, encodeSignedText("text/plain", payload), publicKey, sig)).toBe(false);
  expect(Buffer.compare(made(), made())).toBe(0);
});

test("the signed text equals the example of the DSSE specification", () => {
  const signed = encodeSignedText("http://example.com/HelloWorld", Buffer.from("hello world"));
  expect(Buffer.from(signed).toString()).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
});

test("property: any bytes are read as an envelope or as undefined, without an exception", () => {
  const whole = Buffer.from(made()).toString("utf8");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((json) => Buffer.from(json)),
      ),
      (bytes) => {
        expect(() => readEnvelope(bytes)).not.toThrow();
      },
    ),
  );
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.constantFrom(...'{}[]",:0a'), (at, mark) => {
      const changed = Buffer.from(`${whole.slice(0, at)}${mark}${whole.slice(at + 1)}`);
      expect(() => readEnvelope(changed)).not.toThrow();
    }),
  );
  for (const text of ["", "null", "{}", '{"payloadType":"","payload":"","signatures":[null]}'])
    expect(readEnvelope(Buffer.from(text))).toBeUndefined();
});
