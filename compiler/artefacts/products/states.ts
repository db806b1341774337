// Computes the prefilled states of an image: the state of a model after it has read the prompt head of each session, task and phase.
// The states are stored as a small file system, followed by its hash tree, and a list of its content. For the same
// weights and the same texts, the states are computed only once.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readErofsVersion, writeErofs } from "../../../engine/image/rootfs/erofs.ts";
import { layEngine, readLlamaInputs } from "../../../engine/image/rootfs/llama.ts";
import { appendTree, computeSizeWithTree } from "../../../engine/image/rootfs/verity.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { States } from "../../../engine/lib/wire/generated/manifest.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { BATCHES } from "../../../engine/processes/model/local/decoder.ts";
import { type PrefillOrder, type PrefillResult, STATE_FORM } from "../../../engine/processes/model/local/prefill.ts";
import { MOST_STATES, STATES_SCHEMA_VERSION } from "../../../engine/processes/model/local/states.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import type { ModelPlan, Policy } from "../../../targets/contract/policy.ts";
import type { PreparedStates } from "../../../targets/manifest/model.ts";
import { encodeHex } from "../inspect/description.ts";
import { keepNewest } from "./cache.ts";
import { digestOf } from "./file-digest.ts";
import { collectHeads, type Head } from "./heads.ts";
import type { Progress } from "./progress.ts";
import type { WeightsInImage } from "./weights.ts";

interface StatesInImage extends PreparedStates {
  readonly file: string;
}

interface Prefilling {
  readonly checkout: string;
  readonly cache: string;
  readonly progress: Progress;
  /** Receives a sentence about each prompt head for which no prefilled state was computed, with the reason. */
  readonly warn: (sentence: string) => void;
}

type WeightsWithStates = WeightsInImage & { readonly states?: StatesInImage };

/**
 * Returns the same weights, with prefilled states for each model that has prompt heads. Fails if the states cannot be
 * computed.
 */
export async function addStates(
  policy: Policy,
  weights: ReadonlyMap<string, WeightsInImage>,
  how: Prefilling,
): Promise<Result<ReadonlyMap<string, WeightsWithStates>>> {
  const whole = new Map<string, WeightsWithStates>();
  for (const [name, prepared] of weights) {
    const plan = policy.backends.find((backend) => backend.kind === "cpu" && backend.model.name === name);
    const heads = collectHeads(policy, name);
    for (const { rows } of heads.slice(MOST_STATES))
      how.warn(`${rows.join(", ")}: a model has ${MOST_STATES} states at most`);
    const made =
      plan?.kind === "cpu" && heads.length > 0
        ? await prepareStates(plan.model, prepared, heads.slice(0, MOST_STATES), how)
        : accept(undefined);
    if (!made.ok) return made;
    whole.set(name, made.value === undefined ? prepared : { ...prepared, states: made.value });
  }
  const used = [...whole.values()].flatMap(({ states }) => (states === undefined ? [] : [states.file]));
  if (used.length > 0) keepNewest(KEPT, how.cache, ENDING, used);
  return accept(whole);
}

/** Returns the files of prefilled states that the image contains beside its other artefacts. */
export function listStateFiles(prepared: ReadonlyMap<string, WeightsWithStates>) {
  return [...prepared].flatMap(([model, { states }]) =>
    states === undefined
      ? []
      : [{ path: IMAGE_PATHS.states(model).slice(1), bytes: { file: states.file, sha256: encodeHex(states.sha256) } }],
  );
}

/** Returns the prefilled states of a model from the cache, or computes them. Fails if they cannot be computed. */
async function prepareStates(
  model: ModelPlan,
  prepared: WeightsInImage,
  heads: readonly Head[],
  how: Prefilling,
): Promise<Result<StatesInImage>> {
  const { id } = prepared;
  const version = readErofsVersion();
  if (!version.ok) return refuse(version.reason);
  const engine = readLlamaInputs(how.checkout).map(({ sha256 }) => sha256);
  // The file's name depends on the batch sizes, because other batch sizes give states with other rounding errors.
  const of = [version.value, STATE_FORM, BATCHES, engine, id, model.contextTokens, heads];
  const name = createHash("sha256").update(JSON.stringify(of)).digest("hex").slice(0, 32);
  const file = join(how.cache, `states-${name}${ENDING}`);
  const kept = readKeptStates(file);
  const states = kept === undefined ? await make(model, { prepared, heads, file }, how) : accept(kept);
  if (!states.ok) return states;
  for (const sentence of states.value.without) how.warn(sentence);
  return states;
}

const ENDING = ".states";
/** Number of cached files to keep, for pages that are built in turns. */
const KEPT = 6;
/** The salt of the hash tree is derived from this name, so that the same states have the same bytes in every image. */
const TREE_NAME = "states";

interface Made extends StatesInImage {
  /** Warnings about prompt heads for which no state was computed. */
  readonly without: readonly string[];
}

/** Input for computing prefilled states: the weights, the prompt heads that need a state, and the file to write. */
interface StatesWanted {
  readonly prepared: WeightsInImage;
  readonly heads: readonly Head[];
  readonly file: string;
}

async function make(
  model: ModelPlan,
  { prepared: { id, file: weights }, heads, file }: StatesWanted,
  how: Prefilling,
): Promise<Result<Made>> {
  mkdirSync(how.cache, { recursive: true });
  const scratch = mkdtempSync(join(how.cache, ".states-"));
  try {
    const folder = join(scratch, "states");
    mkdirSync(folder);
    const order = {
      engine: layEngine(how.checkout, join(scratch, "llama")),
      // The states are computed from the prepared copy of the weights, because `id` contains the digest of its content.
      // The original file of the page may have changed since this copy was made.
      weights,
      model: id,
      contextTokens: model.contextTokens,
      folder,
      heads: heads.map(({ pieces }) => pieces),
    };
    const told = await computeStates(order, (done) =>
      how.progress.step(`prefilled state ${done + 1} of ${heads.length}`),
    );
    if (!told.ok) return told;
    makeReadable(folder);
    const image = join(scratch, "image");
    const written = writeErofs(folder, image, "asIs");
    if (!written.ok) return refuse(written.reason);
    const verity = appendTree(image, TREE_NAME);
    const without = told.value.flatMap((each, index) =>
      each.kind === "made" ? [] : [`${heads[index]?.rows.join(", ")}: ${explainFailure(each, model.name)}`],
    );
    const list = listOf(id, heads, told.value);
    renameSync(image, file);
    const made = { file, list, size: statSync(file).size, sha256: decodeHex(digestOf(file)), verity, without };
    writeFileSync(`${file}.json`, serializeStates(made));
    return accept(made);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/**
 * Makes the files readable for everyone, because in the image they belong to root, and the model worker does not run as
 * root.
 */
function makeReadable(folder: string): void {
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  chmodSync(folder, 0o755);
}

function explainFailure(head: Exclude<PrefillResult, { readonly kind: "made" }>, model: string): string {
  switch (head.kind) {
    case "tooLong":
      return `${head.tokens} tokens leave ${model} no room to answer`;
    case "unread":
      return `what ${model} computes is no state that its worker takes (${head.reason})`;
  }
}

function listOf(model: string, heads: readonly Head[], told: readonly PrefillResult[]): Uint8Array {
  const states = told.flatMap((each, index) =>
    each.kind === "made"
      ? [{ key: decodeHex(each.key), tokens: each.tokens, bytes: BigInt(each.bytes), rows: heads[index]?.rows ?? [] }]
      : [],
  );
  return encodeMessage(States, { schemaVersion: STATES_SCHEMA_VERSION, model, states });
}

/** Computes prefilled states in a separate process. Fails with the reason if the process fails. */
async function computeStates(
  order: PrefillOrder,
  step: (done: number) => void,
): Promise<Result<readonly PrefillResult[]>> {
  const program = fileURLToPath(new URL("./prefilling.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<string | number | null>((resolve) => {
    child.once("error", ({ message }) => resolve(message));
    child.once("close", (status, signal) => resolve(signal ?? status));
  });
  child.stdin.on("error", () => {}).end(JSON.stringify(order));
  const errors: string[] = [];
  createInterface(child.stderr).on("line", (line) => errors.push(line));
  const told: PrefillResult[] = [];
  step(0);
  for await (const line of createInterface(child.stdout)) {
    told.push(JSON.parse(line));
    step(Math.min(told.length, order.heads.length - 1));
  }
  const status = await ended;
  return status === 0 ? accept(told) : refuse(`no state was computed: ${errors.at(-1) ?? status}`);
}

/**
 * JSON record beside a cached file of prefilled states: its digest, its hash tree, and warnings. Byte strings are in
 * hexadecimal.
 */
interface Kept {
  readonly list: string;
  readonly sha256: string;
  readonly contentBytes: number;
  readonly salt: string;
  readonly rootHash: string;
  readonly without: readonly string[];
}

function serializeStates({ list, sha256, verity, without }: Made): string {
  const { salt, rootHash } = verity;
  const kept: Kept = {
    list: encodeHex(list),
    sha256: encodeHex(sha256),
    contentBytes: Number(verity.contentBytes),
    salt: encodeHex(salt),
    rootHash: encodeHex(rootHash),
    without,
  };
  return JSON.stringify(kept);
}

/** Returns the cached states, or `undefined` if there are none or a power failure truncated them. */
function readKeptStates(file: string): Made | undefined {
  try {
    const kept: Kept = JSON.parse(readFileSync(`${file}.json`, "utf8"));
    const { size } = statSync(file);
    if (size !== computeSizeWithTree(kept.contentBytes)) return undefined;
    const { contentBytes, salt, rootHash, without } = kept;
    const verity = { contentBytes: BigInt(contentBytes), salt: decodeHex(salt), rootHash: decodeHex(rootHash) };
    return { file, list: decodeHex(kept.list), size, sha256: decodeHex(kept.sha256), verity, without };
  } catch {
    return undefined;
  }
}

function decodeHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "hex"));
}
