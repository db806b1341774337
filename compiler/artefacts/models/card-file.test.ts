// Cards of weights are accepted only from trusted signers.

import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeCard } from "../../../engine/lib/weights/card.ts";
import { readGguf } from "../../../engine/lib/weights/gguf.ts";
import { makeTinyModel } from "../../../engine/lib/weights/testing/tiny-model.ts";
import { Card } from "../../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { createSigningKey, signArtefact } from "../../../targets/manifest/signing.ts";
import { computeFingerprint } from "../inspect/description.ts";
import { prepareWeights } from "../products/weights.ts";
import { resolveSignedCard, signCard } from "./card-file.ts";
import { computeCardBytes, readWeightsHeader } from "./weights-file.ts";

const keyOf = () => createSigningKey(generateKeyPairSync("ed25519").privateKey, "own");
const [builder, vendor, stranger] = [keyOf(), keyOf(), keyOf()];

/** Returns the card of weights whose digest repeats this byte. */
function cardWith(digit: number): Uint8Array {
  const bytes = makeTinyModel();
  const header = readGguf(bytes, bytes.length);
  if (!header.ok) throw new Error(header.reason);
  const verity = { contentBytes: 1n, salt: new Uint8Array(32), rootHash: new Uint8Array(32) };
  return encodeMessage(Card, makeCard(header.value, { sha256: new Uint8Array(32).fill(digit), verity }));
}

const CARD = cardWith(1);
const OTHER = cardWith(2);
const PATH = "models/tiny.gguf";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-card-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the signed card, or the reason why it is refused, if these files are beside the weights. */
function judged(card?: Uint8Array, signature?: Uint8Array) {
  const file = join(folder, "tiny.gguf");
  if (card !== undefined) writeFileSync(`${file}.card`, card);
  if (signature !== undefined) writeFileSync(`${file}.card.sig`, signature);
  const read = resolveSignedCard({ file, path: PATH }, CARD, builder, [vendor.publicKey]);
  return read.ok ? read.value : read.reason;
}

test("weights without a card get a card that the builder signs", () => {
  expect(judged()).toEqual(signCard(CARD, builder));
  expect(judged()).toMatchObject({ signer: builder.publicKey, id: `llama:sha256-${"01".repeat(32)}` });
});

test("a card that the builder or a key of --trust-weights signed is used unchanged", () => {
  for (const key of [vendor, builder]) {
    const { signature } = signCard(CARD, key);
    expect(judged(CARD, signature)).toMatchObject({ signature: new Uint8Array(signature), signer: key.publicKey });
  }
});

test("a card that another key signed is refused, and the message names --trust-weights", () => {
  expect(judged(CARD, signCard(CARD, stranger).signature)).toBe(
    `${PATH} is signed by a key that this system would not know: name it with --trust-weights (${computeFingerprint(stranger.publicKey)})`,
  );
});

test("a card without its signature, or a signature without its card, is refused and not replaced", () => {
  expect(judged(CARD)).toBe(
    `nobody has signed ${PATH}.card: \`capc model sign ${PATH} --key FILE\` does; where the card is taken away, whoever builds vouches for the weights`,
  );
  rmSync(join(folder, "tiny.gguf.card"));
  expect(judged(undefined, signCard(CARD, vendor).signature)).toBe(
    `${PATH}.card.sig signs a card that is not there: ${PATH}.card and it belong together`,
  );
});

test("a card of other weights is refused, and so is a signature over another card", () => {
  expect(judged(OTHER, signCard(OTHER, vendor).signature)).toBe(`${PATH}.card is the card of other weights`);
  expect(judged(CARD, signCard(OTHER, vendor).signature)).toBe(`${PATH}.card.sig is a signature over other weights`);
});

test("a signature for another purpose, over other bytes, or of a wrong length is refused", () => {
  const { id, signature } = signCard(CARD, vendor);
  const forImages = signArtefact({ purpose: "image", systemId: id, version: "1" }, CARD, vendor);
  expect(judged(CARD, forImages)).toBe(`${PATH}.card.sig is a signature for image, not for weights`);
  const subject = { purpose: "weights", systemId: id, version: "1" } as const;
  expect(judged(CARD, signArtefact(subject, OTHER, vendor))).toBe(`${PATH}.card.sig does not hold`);
  expect(judged(CARD, signature.subarray(0, 40))).toBe(`${PATH}.card.sig is no signature`);
});

test("a card file that is too large, or is a directory, is refused with the message about a card of other weights", () => {
  const { signature } = signCard(CARD, vendor);
  expect(judged(Buffer.concat([CARD, Buffer.alloc(4096)]), signature)).toBe(
    `${PATH}.card is the card of other weights`,
  );
  rmSync(join(folder, "tiny.gguf.card"));
  mkdirSync(join(folder, "tiny.gguf.card"));
  expect(judged(undefined, signature)).toBe(`${PATH}.card is the card of other weights`);
});

test("a card that is computed from the file equals the card that a build computes", () => {
  const [path, cache] = [join(folder, "tiny.gguf"), join(folder, "cache")];
  mkdirSync(cache);
  writeFileSync(path, makeTinyModel());
  const header = readWeightsHeader(path);
  if (!header.ok) throw new Error(header.reason);
  const model = { name: "tiny", path: PATH, file: path, contextTokens: 512, callsTools: true, ...header.value };
  const backends = [{ name: "local", kind: "cpu", model, threads: 1, memoryBytes: 1 } as const];
  const built = prepareWeights({ backends, embedders: [] }, cache, { key: builder, trusted: [] });
  if (!built.ok) throw new Error(built.reason);
  expect(Buffer.compare(computeCardBytes(path, header.value), built.value.get("tiny")?.card ?? new Uint8Array())).toBe(
    0,
  );
});
