import type { BackendAttribute, BackendEngine, BackendNode } from "../../../lang/tree/index.ts";
import type { Package } from "../source/index.ts";
import { type Context, declare, resolve, selectKind, takeOnce } from "./context.ts";
import { bindLabel } from "./lattice.ts";
import type { Backend, Category, Lattice, Weights } from "./model/index.ts";
import { readBytes, readWhole } from "./quantities.ts";
import { bindQuotas } from "./quotas.ts";

const MAX_MEMORY = 1n << 40n;
const MAX_THREADS = 1024n;

interface BackendWords {
  readonly lattice: Lattice;
  readonly categories: ReadonlyMap<string, Category>;
  readonly weights: ReadonlyMap<string, Weights>;
}

/**
 * Returns the backends by name. If a syntax error hides the engine of a backend, the backend counts as a stub; such a
 * page is never built.
 */
export function bindBackends(
  context: Context,
  words: BackendWords,
  assets: Package["assets"],
  nodes: readonly BackendNode[],
): Map<string, Backend> {
  const first = new Map<string, BackendNode>();
  for (const node of nodes) declare(context, { names: first, what: "backend", name: node.name, declared: node });
  return new Map([...first].map(([name, node]) => [name, bindBackend(context, words, assets, node)]));
}

function bindBackend(context: Context, words: BackendWords, assets: Package["assets"], node: BackendNode): Backend {
  const { engine, name, attributes } = node;
  const one = <K extends Exclude<BackendAttribute["kind"], "quota">>(kind: K) =>
    takeOnce(context, `\`${kind}\``, selectKind(attributes, kind));
  const clearance = one("clearance");
  const threads = one("threads");
  const memory = one("memory");
  const resolveWeights = (kind: "model" | "embedder") => {
    const named = one(kind);
    return named && resolve(context, { names: words.weights, what: "model", name: named.name });
  };
  return {
    name: name.text,
    kind: engine?.kind ?? "stub",
    clearance: clearance && bindLabel(context, words.lattice, clearance.label),
    replies: engine?.kind === "stub" && engine.replies !== undefined ? assets.get(engine.replies) : undefined,
    provider: bindProvider(engine),
    model: resolveWeights("model"),
    embedder: resolveWeights("embedder"),
    threads:
      threads === undefined
        ? 0
        : Number(readWhole(context, threads.count, { factor: 1n, unit: "threads" }, MAX_THREADS) ?? 0n),
    memoryBytes: memory === undefined ? 0n : (readBytes(context, memory.size, MAX_MEMORY) ?? 0n),
    token: one("token")?.secret.text,
    logRequired: one("log") !== undefined,
    quotas: bindQuotas(
      context,
      words.categories,
      selectKind(attributes, "quota").flatMap((quota) => quota.entries),
    ),
    span: name.span,
    node,
  };
}

function bindProvider(engine: BackendEngine | undefined): Backend["provider"] {
  if (engine?.kind !== "remote" && engine?.kind !== "browser") return undefined;
  return { name: engine.provider.text, address: engine.address.value };
}
