// What a page says of models and of who runs them, beside what tables have.

import type { Backend, Weights } from "../../phases/bind/index.ts";
import { secretOf } from "../../phases/policy/index.ts";
import { sha256 } from "./digest.ts";
import { among, type Fact, ranked, type Says, WORD } from "./facts.ts";
import { credential } from "./scope-facts.ts";

const IN_TABLES = () => [];
const NO_MEANING = () => [];

const OF_BACKEND = {
  name: NO_MEANING,
  kind: IN_TABLES,
  clearance: IN_TABLES,
  logRequired: IN_TABLES,
  quotas: IN_TABLES,
  replies: ({ replies }) =>
    replies === undefined ? [] : [another("replies", `${replies.path}, SHA-256 ${sha256(replies.bytes)}`)],
  provider: ({ provider }) =>
    provider === undefined
      ? []
      : [
          another("dialect", provider.name),
          { what: "may ask", says: provider.address, measure: among([provider.address]), without: "less" },
        ],
  model: ({ model }) => (model === undefined ? [] : weightsFacts("model", model)),
  embedder: ({ embedder }) => (embedder === undefined ? [] : weightsFacts("embedder", embedder)),
  threads: ({ threads }) => [
    { what: "threads", says: String(threads || 1), measure: ranked(threads || 1), without: "told" },
  ],
  memoryBytes: ({ memoryBytes }) => [memory(memoryBytes)],
  token: ({ token }) => (token === undefined ? [] : [credential(secretOf(token) ?? token)]),
  span: NO_MEANING,
  node: NO_MEANING,
} as const satisfies Readonly<Record<keyof Backend, (backend: Backend) => readonly Says[]>>;

export function backendFacts(backend: Backend): readonly Fact[] {
  const { name } = backend;
  const of = { place: `backend ${name}`, owner: { kind: "backend", name } } as const;
  return Object.values(OF_BACKEND)
    .flatMap((say): readonly Says[] => say(backend))
    .map((said) => ({ ...of, ...said }));
}

/** As a person tells one model from another; what the page does not say is left out. */
const OF_WEIGHTS = {
  name: ({ name }) => [name],
  path: ({ path }) => some("weights", path?.value),
  // Read where something is built.
  file: NO_MEANING,
  arch: ({ arch }) => some("arch", arch),
  quantisation: ({ quantisation }) => some("quantisation", quantisation),
  contextTokens: ({ contextTokens }) => some("context", contextTokens === 0 ? undefined : `${contextTokens} tokens`),
  tools: ({ tools }) => some("tools", tools ? "true" : undefined),
  served: ({ served }) => some("served", served),
  price: IN_TABLES,
  // Said on its own: less of it is asked for, or more.
  acceptPercent: NO_MEANING,
  node: NO_MEANING,
} as const satisfies Readonly<Record<keyof Weights, (weights: Weights) => readonly string[]>>;

function weightsFacts(what: string, weights: Weights): readonly Says[] {
  const words = Object.values(OF_WEIGHTS).flatMap((say): readonly string[] => say(weights));
  const { acceptPercent } = weights;
  const accepted: Says = {
    what: `right answers asked of its ${what}, of 10,000`,
    says: String(acceptPercent),
    measure: ranked(-acceptPercent),
    without: "told",
  };
  return [another(what, words.join(", ")), accepted];
}

function some(what: string, says: string | undefined): readonly string[] {
  return says === undefined ? [] : [`${what} ${says}`];
}

/** Another one that answers by this name may do anything that is let through. */
function another(what: string, says: string): Says {
  return { what, says, measure: among([says]), without: "other" };
}

function memory(bytes: bigint): Says {
  const of = { what: "bytes of memory", without: "told" } as const;
  if (bytes === 0n) return { ...of, says: "what its weights need", measure: WORD };
  return { ...of, says: String(bytes), measure: { kind: "ranked", rank: bytes } };
}
