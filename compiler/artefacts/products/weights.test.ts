// Tests the weights of an image, which are prepared once for each file.

import { createHash, generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { computeSizeWithTree } from "../../../engine/image/rootfs/verity.ts";
import { readGguf } from "../../../engine/lib/weights/gguf.ts";
import { makeTinyModel } from "../../../engine/lib/weights/testing/tiny-model.ts";
import { Card } from "../../../engine/lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../engine/lib/wire/index.ts";
import type { LocalPlan } from "../../../targets/contract/policy.ts";
import { createSigningKey } from "../../../targets/manifest/signing.ts";
import { convertToPlain } from "../inspect/description.ts";
import { listWeightsFiles, prepareWeights, type WeightsInImage } from "./weights.ts";

const key = createSigningKey(generateKeyPairSync("ed25519").privateKey, "own");

let folder: string;
let cache: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-weights-"));
  cache = join(folder, "cache");
});
afterEach(() => rmSync(folder, { recursive: true }));

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Returns a backend for which a model file of this name is in the folder. */
function backend(name: string, seed = 1): LocalPlan {
  const bytes = makeTinyModel({ seed });
  const file = join(folder, `${name}.gguf`);
  writeFileSync(file, bytes);
  const header = readGguf(bytes, bytes.length);
  if (!header.ok) throw new Error(header.reason);
  const read = { file, bytes: bytes.length, header: header.value };
  const model = { name, path: `models/${name}.gguf`, contextTokens: 512, callsTools: true, ...read };
  return { name: "local", kind: "cpu", model, threads: 1, memoryBytes: 1 };
}

const prepare = (...backends: readonly LocalPlan[]) =>
  prepareWeights({ backends, embedders: [] }, cache, { key, trusted: [] });

function prepared(...backends: readonly LocalPlan[]): WeightsInImage {
  const made = prepare(...backends);
  const [one] = made.ok ? made.value.values() : [];
  if (one === undefined) throw new Error(`no weights: ${made.ok ? "none" : made.reason}`);
  return one;
}

test("the image contains the file of weights with its hash tree, and the card states the digest of the file", () => {
  const plan = backend("tiny");
  const content = readFileSync(plan.model.file);
  const made = prepared(plan);
  const whole = readFileSync(made.file);
  expect(whole.subarray(0, content.length).equals(content)).toBe(true);
  expect([whole.length, made.size]).toEqual(Array(2).fill(computeSizeWithTree(content.length)));
  expect(hexOf(made.sha256)).toBe(sha256(whole));
  const card = decodeMessage(Card, made.card);
  expect(card.ok && hexOf(card.value.sha256)).toBe(sha256(content));
  expect(card.ok && convertToPlain(card.value.verity)).toEqual(convertToPlain(made.verity));
  expect(made).toMatchObject({ signer: key.publicKey, id: `llama:sha256-${sha256(content)}` });
  expect(listWeightsFiles(new Map([["tiny", made]]))).toEqual([
    { path: expect.stringMatching(/tiny/), bytes: { file: made.file, sha256: sha256(whole) } },
  ]);
});

test("the copy of weights with their hash tree is made once and cached, and made again if the cache is incomplete", () => {
  const plan = backend("tiny");
  const facts = () => convertToPlain(prepared(plan));
  const first = prepared(plan);
  const same = convertToPlain(first);
  const inode = () => statSync(first.file).ino;
  const before = inode();
  expect(facts()).toEqual(same);
  expect(inode()).toBe(before);
  truncateSync(first.file, 4096);
  expect(facts()).toEqual(same);
  expect(sha256(readFileSync(first.file))).toBe(hexOf(first.sha256));
  writeFileSync(`${first.file}.json`, "{}");
  expect(facts()).toEqual(same);
});

test("the cached copy of read-only weights can be written by its owner", () => {
  const plan = backend("tiny");
  chmodSync(plan.model.file, 0o444);
  expect(statSync(prepared(plan).file).mode & 0o777).toBe(0o600);
});

test("a file that changed since it was checked is refused", () => {
  const plan = backend("tiny");
  writeFileSync(plan.model.file, "other weights");
  expect(prepare(plan)).toMatchObject({ reason: "models/tiny.gguf changed while it was read" });
  rmSync(plan.model.file);
  expect(prepare(plan)).toMatchObject({ reason: "models/tiny.gguf changed while it was read" });
});

test("weights that do not match their card fail the build, and only the three weights that were used last are cached", () => {
  const plans = [1, 2, 3, 4, 5].map((seed) => backend(`tiny-${seed}`, seed));
  for (const plan of plans) prepared(plan);
  expect(readdirSync(cache).filter((name) => name.endsWith(".weights"))).toHaveLength(3);
  expect(readdirSync(cache)).toHaveLength(6);
  const plan = backend("tiny");
  writeFileSync(`${plan.model.file}.card`, "a card");
  expect(prepare(plan)).toMatchObject({
    reason: expect.stringMatching(/^nobody has signed models\/tiny\.gguf\.card: /),
  });
});
