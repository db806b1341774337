// Prepares weights for an image: the file of the package with its hash tree behind it, and a card with the signature of a key for
// weights. The copy and the two digests take long, so they are made once for each file and cached.

import { createHash } from "node:crypto";
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { appendTree, computeSizeWithTree } from "../../../engine/image/rootfs/verity.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { makeCard, TREE_NAME } from "../../../engine/lib/weights/card.ts";
import { Card, type Verity } from "../../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import type { ModelPlan, Policy } from "../../../targets/contract/policy.ts";
import type { PreparedWeights } from "../../../targets/manifest/model.ts";
import type { SigningKey } from "../../../targets/manifest/signing.ts";
import { encodeHex } from "../inspect/description.ts";
import { resolveSignedCard } from "../models/card-file.ts";
import { keepNewest } from "./cache.ts";
import { digestOf } from "./file-digest.ts";
import { stampOf } from "./stamp.ts";

/** Weights with their signed card and hash tree, and their file on this machine. */
export interface WeightsInImage extends Omit<PreparedWeights, "states"> {
  readonly file: string;
  /** Public key that signed the card: 32 bytes. */
  readonly signer: Uint8Array;
}

interface Vouching {
  /** Key that signs each card without a signature. With this signature, the builder vouches for the weights. */
  readonly key: SigningKey;
  /** Public keys that may sign weights, in addition to `key`. */
  readonly trusted: readonly Uint8Array[];
}

/**
 * Returns the weights by the names of the models, each with its hash tree and its signed card. Fails if a file of
 * weights differs from its card, or if no trusted key signed the card.
 */
export function prepareWeights(
  policy: Pick<Policy, "backends" | "embedders">,
  cache: string,
  vouching: Vouching,
): Result<ReadonlyMap<string, WeightsInImage>> {
  const prepared = new Map<string, WeightsInImage>();
  for (const model of collectModels(policy)) {
    if (prepared.has(model.name)) continue;
    const made = prepare(model, cache, vouching);
    if (!made.ok) return made;
    prepared.set(model.name, made.value);
  }
  const used = [...prepared.values()].map(({ file }) => file);
  if (existsSync(cache)) keepNewest(KEPT, cache, ENDING, used);
  return accept(prepared);
}

function collectModels({ backends, embedders }: Pick<Policy, "backends" | "embedders">): readonly ModelPlan[] {
  const answering = backends.flatMap((backend) => (backend.kind === "cpu" ? [backend.model] : []));
  return [...answering, ...embedders.map(({ model }) => model)];
}

/** Returns the files of weights that the image contains beside its other artefacts. */
export function listWeightsFiles(prepared: ReadonlyMap<string, WeightsInImage>) {
  return [...prepared].map(([model, { file, sha256 }]) => ({
    path: IMAGE_PATHS.weights(model).slice(1),
    bytes: { file, sha256: encodeHex(sha256) },
  }));
}

function prepare(model: ModelPlan, cache: string, { key, trusted }: Vouching): Result<WeightsInImage> {
  const content = prepareTree(model, cache);
  if (content === undefined) return refuse(`${model.path} changed while it was read`);
  const card = encodeMessage(Card, makeCard(model.header, { sha256: content.contentSha256, verity: content.verity }));
  const signed = resolveSignedCard(model, card, key, trusted);
  if (!signed.ok) return signed;
  return accept({ ...content, ...signed.value, card, size: statSync(content.file).size });
}

interface WithTree {
  readonly file: string;
  /** SHA-256 of the file with its hash tree. */
  readonly sha256: Uint8Array;
  readonly contentSha256: Uint8Array;
  readonly verity: Verity;
}

/**
 * Returns the copy of the file of weights with its hash tree, from the cache if possible. Returns `undefined` if the
 * file is missing or changes while it is copied.
 */
function prepareTree({ file: source, bytes }: ModelPlan, cache: string): WithTree | undefined {
  const stamp = stampOf(source);
  if (stamp === undefined) return undefined;
  const name = createHash("sha256").update(`${TREE_NAME} ${stamp}`).digest("hex").slice(0, 32);
  const file = join(cache, `weights-${name}${ENDING}`);
  const kept = readKeptTree(file);
  if (kept !== undefined) return kept;
  mkdirSync(cache, { recursive: true });
  const scratch = join(cache, `.weights-${process.pid}`);
  try {
    copyFileSync(source, scratch, constants.COPYFILE_FICLONE);
    // The copy has the permissions of the original, so make it writable: the hash tree is appended to it.
    chmodSync(scratch, 0o600);
    // Stop if the file has changed since its digest was computed.
    if (statSync(scratch).size !== bytes || stampOf(source) !== stamp) return undefined;
    const contentSha256 = decodeHex(digestOf(scratch));
    const verity = appendTree(scratch, TREE_NAME);
    const made = { file, sha256: decodeHex(digestOf(scratch)), contentSha256, verity };
    renameSync(scratch, file);
    writeFileSync(`${file}.json`, serializeTree(made));
    return made;
  } finally {
    rmSync(scratch, { force: true });
  }
}

const ENDING = ".weights";
/** Number of cached files to keep, for a person who builds pages with different models in turns. */
const KEPT = 3;

/** JSON record beside a cached copy of weights: its digests and its hash tree. Byte strings are in hexadecimal. */
interface Kept {
  readonly sha256: string;
  readonly contentSha256: string;
  readonly contentBytes: number;
  readonly salt: string;
  readonly rootHash: string;
}

function serializeTree({ sha256, contentSha256, verity }: WithTree): string {
  const kept: Kept = {
    sha256: encodeHex(sha256),
    contentSha256: encodeHex(contentSha256),
    contentBytes: Number(verity.contentBytes),
    salt: encodeHex(verity.salt),
    rootHash: encodeHex(verity.rootHash),
  };
  return JSON.stringify(kept);
}

/** Returns the cached tree, or `undefined` if there is none or a power failure truncated it. */
function readKeptTree(file: string): WithTree | undefined {
  try {
    const kept: Kept = JSON.parse(readFileSync(`${file}.json`, "utf8"));
    if (statSync(file).size !== computeSizeWithTree(kept.contentBytes)) return undefined;
    const verity = {
      contentBytes: BigInt(kept.contentBytes),
      salt: decodeHex(kept.salt),
      rootHash: decodeHex(kept.rootHash),
    };
    return { file, sha256: decodeHex(kept.sha256), contentSha256: decodeHex(kept.contentSha256), verity };
  } catch {
    return undefined;
  }
}

function decodeHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "hex"));
}
