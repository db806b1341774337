// Models that answer in a session: canned replies, or a model in the machine.

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

/** Weights with their tree behind them, as they lie in the image, and who vouches for them. */
export interface PreparedWeights {
  /** "llama:sha256-…", of the content. */
  readonly id: string;
  readonly size: number;
  /** Digest of the whole file. */
  readonly sha256: Uint8Array;
  readonly verity: Verity;
  readonly card: Uint8Array;
  /** Over the card, by a key with the purpose `weights`. */
  readonly signature: Uint8Array;
  /** States that were computed with them before; absent if there are none. */
  readonly states?: PreparedStates;
}

/** A file system of states with its tree behind it, and the list of what is in it. */
export interface PreparedStates {
  /** A `States`. */
  readonly list: Uint8Array;
  readonly size: number;
  /** Digest of the whole file. */
  readonly sha256: Uint8Array;
  readonly verity: Verity;
}

export type ModelWeights = ReadonlyMap<string, PreparedWeights> | undefined;

export const isStub = (backend: BackendPlan): backend is StubPlan => backend.kind === "stub";

/** A stub without a file of replies knows no line, and says so to all of them. */
export function getReplies({ replies }: StubPlan): Uint8Array {
  return replies?.bytes ?? Buffer.from("[]");
}

/** Returns the audit's name for the model: that of a stub has the digest of its replies in place of that of weights. */
export function deriveModelId(backend: BackendPlan, weights: ModelWeights): string {
  if (backend.kind === "cpu") return deriveLocalId(backend, weights);
  if (backend.kind === "remote") return deriveRemoteId(backend);
  return `stub:sha256-${createHash("sha256").update(getReplies(backend)).digest("hex")}`;
}

/** Without any weights the graph of processes is judged and not built: who holds what does not depend on them. */
export function deriveLocalId({ model }: Pick<LocalPlan, "model">, weights: ModelWeights): string {
  if (weights === undefined) return `${model.header.arch}:not-digested`;
  return weights.get(model.name)?.id ?? bug(`nobody has prepared the weights of ${model.name}`);
}

/** Returns the provider's address and the name of the model. The model behind the address cannot be known here. */
function deriveRemoteId({ dialect, model, scope }: RemotePlan): string {
  const [place] = scope.places;
  return `${dialect}:${place?.host ?? ""}:${place?.port ?? ""}:${model}`;
}

/** Cards with their signatures, and lists of states, as in the output folder. The weights and states themselves are the image's alone. */
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

export function draftModel(backend: BackendPlan, weights: ModelWeights, origins: Origins): Draft {
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

/** Drafts the process of a local model. The page decides what it is told; the file of weights decides nothing of how it is asked. */
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

/** Drafts the process of an embedder: the same program in the same jail, which answers nobody. */
export function draftEmbedder({ model, threads, memoryBytes }: EmbedderPlan, weights: ModelWeights): Draft {
  return {
    name: nameEmbedder(model),
    role: "model-local",
    arguments: [...renderWorkerArguments(model, deriveLocalId({ model }, weights), threads), "--embeds"],
    memoryMaxBytes: BigInt(memoryBytes),
    grants: [],
    files: grantWeights(model),
  };
}

/** Returns the name of an embedder's process, and of the capability that the store holds. */
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

/** One endpoint of the process with the network, and no file: what it is told is the page's. */
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
