import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { Signature, Trust } from "../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../engine/lib/wire/index.ts";
import { type KeyFile, loadDevelopmentKey } from "./development-key.ts";
import { encodeSignedBytes, encodeTrust, type SigningKey, signArtefact } from "./signing.ts";

function memoryFile(text?: string): KeyFile & { text: () => string | undefined } {
  let held = text;
  return {
    read: () => held,
    create: (made) => {
      held = made;
    },
    text: () => held,
  };
}

function keyOf(file: KeyFile): SigningKey {
  const key = loadDevelopmentKey(file);
  if (!key.ok) throw new Error(key.reason);
  return key.value;
}

const SUBJECT = { purpose: "image", systemId: "lab", version: "1.2.0" } as const;
const ARTEFACT = Buffer.from("manifest");

test("the signed bytes are format, purpose, system and version, each followed by a zero byte, and then the digest", () => {
  const bytes = Buffer.from(encodeSignedBytes(SUBJECT, ARTEFACT));
  expect(bytes.subarray(0, -32).toString()).toBe("capos-v1\0image\0lab\x001.2.0\0");
  expect(bytes.subarray(-32).toString("hex")).toBe("05b3abf2579a5eb66403cd78be557fd860633a1fe2103c7642030defe32c657f");
});

test("a signature is valid for its own key, and invalid after one changed byte", () => {
  const key = keyOf(memoryFile());
  const signed = decodeMessage(Signature, signArtefact(SUBJECT, ARTEFACT, key));
  if (!signed.ok) throw new Error(signed.reason);
  const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), signed.value.publicKey]);
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  const holds = (artefact: Uint8Array) =>
    verify(null, encodeSignedBytes(SUBJECT, artefact), publicKey, signed.value.signature);
  expect(holds(ARTEFACT)).toBe(true);
  expect(holds(Buffer.from("manifesT"))).toBe(false);
  expect(signed.value).toMatchObject({ schemaVersion: 1, ...SUBJECT, publicKey: key.publicKey });
});

test("the key of a checkout is made once and read again", () => {
  const file = memoryFile();
  const first = keyOf(file);
  expect(keyOf(memoryFile(file.text())).publicKey).toEqual(first.publicKey);
  expect(keyOf(memoryFile()).publicKey).not.toEqual(first.publicKey);
});

test("an unreadable key file is reported and left unchanged", () => {
  for (const text of ["", "{", "null", '{"kind":"rsa"}', '{"kind":"ed25519","pkcs8":"AAAA"}']) {
    const file = memoryFile(text);
    expect(loadDevelopmentKey(file)).toMatchObject({ reason: expect.stringMatching(/cannot be read/) });
    expect(file.text()).toBe(text);
  }
});

test("`trust.bin` contains the system, the key, and whether the key is a development key", () => {
  const key = keyOf(memoryFile());
  expect(decodeMessage(Trust, encodeTrust({ systemId: "lab", version: "1.2.0" }, key))).toEqual({
    ok: true,
    value: {
      schemaVersion: 1,
      systemId: "lab",
      development: true,
      leastVersion: "1.2.0",
      keys: [{ publicKey: key.publicKey, purposes: ["image"] }],
    },
  });
});
