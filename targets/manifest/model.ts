// Plans the processes of models: stubs with canned replies, local models, embedders and remote models.

import { createHash } from "node:crypto";
import { HttpExchange } from "../../engine/lib/wire/generated/egress.ts";
import type { Blob, FileGrant, Verity } from "../../engine/lib/wire/generated/manifest.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import { type Artifact, IMAGE_PATHS } from "../contract/artifact.ts";
import type {
  BackendPlan,
  EmbedderPlan,
  LocalPlan,
  ModelPlan,
  Origins,
  RemotePlan,
  StubPlan,
} from "../contract/policy.ts";
import { createBlob } from "./blob.ts";
import { type Draft, placeIn } from "./draft.ts";
import { EGRESS, nameModelEndpoint } from "./egress.ts";

/** Weights with their hash tree, as in the image, and their signature. */
export interface PreparedWeights {
  /** Identifier with the digest of the content: "llama:sha256-…". */
  readonly id: string;
  readonly size: number;
  /** Digest of the whole file. */
  readonly sha256: Uint8Array;
  readonly verity: Verity;
  readonly card: Uint8Array;
  /** Signature over the card, by a key with the purpose `weights`. */
  readonly signature: Uint8Array;
  /** States that were precomputed with these weights; absent if there are none. */
  readonly states?: PreparedStates;
}

/** A file system with prefilled states, its hash tree, and a list of the states. */
export interface PreparedStates {
  /** A message of the type `States`. */
  readonly list: Uint8Array;
  readonly size: number;
  /** Digest of the whole file. */
  readonly sha256: Uint8Array;
  readonly verity: Verity;
}

type ModelWeights = ReadonlyMap<string, PreparedWeights> | undefined;

/** Identifiers of prepared weights, which suffice to plan processes. */
export type ModelIdentities = ReadonlyMap<string, Pick<PreparedWeights, "id" | "states">> | undefined;

export const isStub = (backend: BackendPlan): backend is StubPlan => backend.kind === "stub";

/** Returns the canned replies; an empty list for a stub without a file of replies. */
export function getReplies({ replies }: StubPlan): Uint8Array {
  return replies?.bytes ?? Buffer.from("[]");
}

/** Returns the id of the model for audit records. The id of a stub contains the digest of its replies. */
export function deriveModelId(backend: BackendPlan, weights: ModelIdentities): string {
  if (backend.kind === "cpu") return deriveLocalId(backend, weights);
  if (backend.kind === "remote") return deriveRemoteId(backend);
  return `stub:sha256-${createHash("sha256").update(getReplies(backend)).digest("hex")}`;
}

/**
 * Returns the id of a local model. If the weights were not read, the id contains a placeholder. In this case the graph of processes is only
 * checked, and its grants do not depend on the weights.
 */
export function deriveLocalId({ model }: Pick<LocalPlan, "model">, weights: ModelIdentities): string {
  if (weights === undefined) return `${model.header.arch}:not-digested`;
  return weights.get(model.name)?.id ?? bug(`nobody has prepared the weights of ${model.name}`);
}

/** Returns the provider's address and the name of the model. Which model actually runs at the provider cannot be verified. */
function deriveRemoteId({ dialect, model, scope }: RemotePlan): string {
  const [place] = scope.places;
  return `${dialect}:${place?.host ?? ""}:${place?.port ?? ""}:${model}`;
}

/**
 * Returns the cards, their signatures, and the lists of states, with paths in the output folder. The weights and states themselves are
 * written only into the image.
 */
export function listWeightsFiles(weights: ModelWeights): readonly Artifact[] {
  return [...(weights ?? [])].flatMap(([model, { card, signature, states }]) => [
    { path: `models/${model}.card`, bytes: card },
    { path: `models/${model}.card.sig`, bytes: signature },
    ...(states === undefined ? [] : [{ path: `models/${model}.states`, bytes: states.list }]),
  ]);
}

export function listWeightsBlobs(weights: ModelWeights): readonly Blob[] {
  return [...(weights ?? [])].flatMap(([model, { size, sha256, verity, card, states }]) => [
    createBlob(`card.${model}`, IMAGE_PATHS.card(model), card),
    {
      name: `weights.${model}`,
      path: IMAGE_PATHS.weights(model),
      size: BigInt(size),
      sha256,
      verity,
      card: `card.${model}`,
    },
    ...(states === undefined ? [] : listStatesBlobs(model, states)),
  ]);
}

function listStatesBlobs(model: string, { list, size, sha256, verity }: PreparedStates): readonly Blob[] {
  const path = IMAGE_PATHS.states(model);
  return [
    createBlob(`states.${model}`, IMAGE_PATHS.statesList(model), list),
    { name: `prefilled.${model}`, path, size: BigInt(size), sha256, verity, card: "" },
  ];
}

export function draftModel(backend: BackendPlan, weights: ModelIdentities, origins: Origins): Draft {
  const id = deriveModelId(backend, weights);
  if (backend.kind === "cpu")
    return draftLocalModel(backend, id, weights?.get(backend.model.name)?.states !== undefined ? "given" : "none");
  if (backend.kind === "remote") return draftRemoteModel(backend, id, placeIn(origins.backends, backend.name));
  const { name } = backend;
  return {
    name: `model.${name}`,
    role: "model",
    arguments: ["--id", id],
    grants: [],
    files: [{ name: "replies", which: "blob", blob: `replies.${name}` }],
  };
}

/** Drafts the process of a local model. The arguments of the process come only from the page, and do not depend on the file of weights. */
function draftLocalModel(
  { name, model, threads, memoryBytes }: LocalPlan,
  id: string,
  prefilled: "given" | "none",
): Draft {
  const states: readonly FileGrant[] = [
    { name: "states", which: "blob", blob: `states.${model.name}` },
    { name: "prefilled", which: "states", states: `prefilled.${model.name}` },
  ];
  const words = [...(model.callsTools ? ["--tools"] : []), ...(prefilled === "given" ? ["--states"] : [])];
  return {
    name: `model.${name}`,
    role: "model-local",
    arguments: [...renderWorkerArguments(model, id, threads), ...words],
    memoryMaxBytes: BigInt(memoryBytes),
    grants: [],
    files: [...grantWeights(model), ...(prefilled === "given" ? states : [])],
  };
}

/**
 * Drafts the process of an embedder. The process runs the program of a local model in the same jail, but only embeds
 * texts.
 */
export function draftEmbedder({ model, threads, memoryBytes }: EmbedderPlan, weights: ModelIdentities): Draft {
  return {
    name: nameEmbedder(model),
    role: "model-local",
    arguments: [...renderWorkerArguments(model, deriveLocalId({ model }, weights), threads), "--embeds"],
    memoryMaxBytes: BigInt(memoryBytes),
    grants: [],
    files: grantWeights(model),
  };
}

/** Returns the name of an embedder's process, which is also the name of the grant in the store of conversations. */
export function nameEmbedder({ name }: Pick<ModelPlan, "name">): string {
  return `embedder.${name}`;
}

function renderWorkerArguments({ contextTokens }: ModelPlan, id: string, threads: number): readonly string[] {
  return ["--id", id, "--context", `${contextTokens}`, "--threads", `${threads}`];
}

function grantWeights({ name }: ModelPlan): readonly FileGrant[] {
  return [
    { name: "card", which: "blob", blob: `card.${name}` },
    { name: "weights", which: "weights", weights: `weights.${name}` },
  ];
}

/**
 * Drafts the process of a remote model. The process has a grant of one endpoint of the egress process, and no file. The
 * arguments of the process come from the page.
 */
function draftRemoteModel(
  { name, dialect, model, contextTokens, callsTools }: RemotePlan,
  id: string,
  origin: string,
): Draft {
  const endpoint = nameModelEndpoint(name);
  const words = ["--id", id, "--dialect", dialect, "--model", model, "--endpoint", endpoint];
  return {
    name: `model.${name}`,
    role: "model-remote",
    arguments: [...words, "--context", `${contextTokens}`, ...(callsTools ? ["--tools"] : [])],
    grants: [{ name: endpoint, interfaceId: HttpExchange.id, provider: EGRESS, origin }],
    files: [],
  };
}
