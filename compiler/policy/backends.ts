import type { Backend, Weights } from "../bind/index.ts";
import type { WeightsHead } from "../weights/heads.ts";
import type { BackendPlan, LocalPlan } from "./policy.ts";
import { remotePlan } from "./remote.ts";

/** What the weights of models say of themselves; none where nothing is built. */
export type BackendHeads = ReadonlyMap<Weights, WeightsHead>;

const MIB = 1024 * 1024;
/** Of a conversation with a model whose page does not say: most take far more, and memory goes by it. */
const CONTEXT_TOKENS = 4096;
/** Beside the weights: Node, the engine, what was read of the conversation and what is computed of it. */
const BESIDE_WEIGHTS = 384 * MIB;

/** Others than these are refused where something is built; what is only checked has no plan of them. */
export function backendPlan(backend: Backend, heads: BackendHeads): readonly BackendPlan[] {
  const { name, kind, replies, model } = backend;
  if (kind === "stub") return [{ name, kind, ...(replies === undefined ? {} : { replies }) }];
  if (kind === "remote" && model !== undefined)
    return [remotePlan(backend, model)].filter((plan) => plan !== undefined);
  const head = model && heads.get(model);
  return kind === "cpu" && model !== undefined && head !== undefined ? [localPlan(backend, model, head)] : [];
}

function localPlan({ name, threads, memoryBytes }: Backend, model: Weights, head: WeightsHead): LocalPlan {
  const { file, bytes, header } = head;
  return {
    name,
    kind: "cpu",
    model: {
      name: model.name,
      path: model.file?.path ?? "",
      file,
      bytes,
      header,
      contextTokens: model.contextTokens || Math.min(header.contextTokens, CONTEXT_TOKENS),
      callsTools: model.tools,
    },
    // More than one thread waits actively for the others, and takes from those who have work.
    threads: threads || 1,
    memoryBytes: Number(memoryBytes) || bytes + BESIDE_WEIGHTS,
  };
}
