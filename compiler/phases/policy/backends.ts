import type { GgufHeader } from "../../../engine/lib/weights/gguf.ts";
import type { BackendPlan, EmbedderPlan, LocalPlan, ModelPlan } from "../../../targets/contract/policy.ts";
import type { Backend, Weights } from "../bind/index.ts";
import { planRemoteBackend } from "./remote.ts";

/** Weights as they lie in the package. */
export interface WeightsHead {
  /** On this machine. */
  readonly file: string;
  readonly bytes: number;
  readonly header: GgufHeader;
}

/** What the weights of models say of themselves; none where nothing is built. */
export type BackendHeads = ReadonlyMap<Weights, WeightsHead>;

const MIB = 1024 * 1024;
/** Of a conversation with a model whose page does not say: most take far more, and memory goes by it. */
const CONTEXT_TOKENS = 4096;
/** Of a text that is embedded, where the page does not say: a page of it, which is one batch. */
const EMBEDDED_TOKENS = 512;
/** Beside the weights: Node, the engine, what was read of the conversation and what is computed of it. */
const BESIDE_WEIGHTS = 384 * MIB;

/** Others than these are refused where something is built; what is only checked has no plan of them. */
export function planBackend(backend: Backend, heads: BackendHeads): readonly BackendPlan[] {
  const { name, kind, replies, model } = backend;
  if (kind === "stub") return [{ name, kind, ...(replies === undefined ? {} : { replies }) }];
  if (kind === "remote" && model !== undefined)
    return [planRemoteBackend(backend, model)].filter((plan) => plan !== undefined);
  const head = model && heads.get(model);
  return kind === "cpu" && model !== undefined && head !== undefined ? [planLocalBackend(backend, model, head)] : [];
}

/**
 * Tokens that no answer of a backend exceeds, what it is asked included, whatever its weights say; 0: nobody can tell. A provider counts by a
 * tokenizer of its own, and says what it was once it has answered: what was reserved by a page's number would hide the rest of it.
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

/** More than one waits actively for the others, and takes from those who have work. */
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

/** Nothing for what is refused where something is built. `threads` and `memory` of a backend are those of its own model. */
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
