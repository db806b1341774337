import type { GgufHeader } from "../../../engine/lib/weights/gguf.ts";
import type { BackendPlan, EmbedderPlan, LocalPlan, ModelPlan } from "../../../targets/contract/policy.ts";
import type { Backend, Weights } from "../bind/index.ts";
import { planRemoteBackend } from "./remote.ts";

/** A file with model weights: its path, its size and its header. */
export interface WeightsHead {
  /** Path of the weights on the computer that builds the image. */
  readonly file: string;
  readonly bytes: number;
  readonly header: GgufHeader;
}

/** The weights files with their headers, by model; the map is empty if no image is built. */
export type BackendHeads = ReadonlyMap<Weights, WeightsHead>;

const MIB = 1024 * 1024;
/** Context length of a conversation, in tokens, if the page states none. Most models support far more, but memory use depends on it. */
const CONTEXT_TOKENS = 4096;
/**
 * Context length of an embedder, in tokens, if the page states none. An embedder computes a text of this length as one
 * batch.
 */
const EMBEDDED_TOKENS = 512;
/**
 * Memory in bytes that a model process needs besides the weights, for Node, the engine, the evaluated conversation and
 * the activations.
 */
const BESIDE_WEIGHTS = 384 * MIB;

/**
 * Returns the plan of a backend, which states how the image runs it, as a list of one item. The list is empty if a
 * build refuses this kind of backend, or if no image is built and the backend needs the header of its weights.
 */
export function planBackend(backend: Backend, heads: BackendHeads): readonly BackendPlan[] {
  const { name, kind, replies, model } = backend;
  if (kind === "stub") return [{ name, kind, ...(replies === undefined ? {} : { replies }) }];
  if (kind === "remote" && model !== undefined)
    return [planRemoteBackend(backend, model)].filter((plan) => plan !== undefined);
  const head = model && heads.get(model);
  return kind === "cpu" && model !== undefined && head !== undefined ? [planLocalBackend(backend, model, head)] : [];
}

/**
 * Returns the maximum number of tokens of a prompt and its answer, or 0 if it is unknown. The number is unknown for a
 * remote backend: the provider counts with its own tokenizer, so an answer could exceed the number on the page.
 */
export function getContextLimit({ kind, model }: Backend): number {
  if (model === undefined) return 0;
  switch (kind) {
    case "remote":
      return 0;
    case "cpu":
      return model.contextTokens || CONTEXT_TOKENS;
    case "stub":
    case "gpu":
    case "browser":
      return model.contextTokens;
  }
}

/**
 * Default number of threads of a local model. More threads would be slower, because threads without work wait actively
 * and take processor time from the others.
 */
const THREADS = 1;

function planLocalBackend({ name, threads, memoryBytes }: Backend, model: Weights, head: WeightsHead): LocalPlan {
  return {
    name,
    kind: "cpu",
    model: planModel(model, head, CONTEXT_TOKENS),
    threads: threads || THREADS,
    memoryBytes: Number(memoryBytes) || head.bytes + BESIDE_WEIGHTS,
  };
}

/**
 * Returns the plan of an embedder as a list of one item. The list is empty if the weights file is missing; a build
 * refuses such a page. `threads` and `memory` of a backend do not apply to its embedder.
 */
export function planEmbedder(model: Weights, heads: BackendHeads): readonly EmbedderPlan[] {
  const head = heads.get(model);
  if (head === undefined) return [];
  const memoryBytes = head.bytes + BESIDE_WEIGHTS;
  return [{ model: planModel(model, head, EMBEDDED_TOKENS), threads: THREADS, memoryBytes }];
}

function planModel(model: Weights, { file, bytes, header }: WeightsHead, mostTokens: number): ModelPlan {
  return {
    name: model.name,
    path: model.file?.path ?? "",
    file,
    bytes,
    header,
    contextTokens: model.contextTokens || Math.min(header.contextTokens, mostTokens),
    callsTools: model.tools,
  };
}
