// Collects facts about models and the backends that run them, which the tables do not contain.

import type { Backend, Weights } from "../../phases/bind/index.ts";
import { findSecret } from "../../phases/policy/index.ts";
import { computeSha256 } from "./digest.ts";
import { type Fact, type FactContent, measureMembers, measureRank, WORD } from "./facts.ts";
import { makeCredentialFact } from "./scope-facts.ts";

const skipInTables = () => [];
const skipMeaningless = () => [];

const OF_BACKEND = {
  name: skipMeaningless,
  kind: skipInTables,
  clearance: skipInTables,
  logRequired: skipInTables,
  quotas: skipInTables,
  replies: ({ replies }) =>
    replies === undefined
      ? []
      : [makeIdentityFact("replies", `${replies.path}, SHA-256 ${computeSha256(replies.bytes)}`)],
  provider: ({ provider }) =>
    provider === undefined
      ? []
      : [
          makeIdentityFact("dialect", provider.name),
          { what: "may ask", value: provider.address, measure: measureMembers([provider.address]), without: "less" },
        ],
  model: ({ model }) => (model === undefined ? [] : collectWeightsFacts("model", model)),
  embedder: ({ embedder }) => (embedder === undefined ? [] : collectWeightsFacts("embedder", embedder)),
  threads: ({ threads }) => [
    { what: "threads", value: String(threads || 1), measure: measureRank(threads || 1), without: "told" },
  ],
  memoryBytes: ({ memoryBytes }) => [makeMemoryFact(memoryBytes)],
  token: ({ token }) => (token === undefined ? [] : [makeCredentialFact(findSecret(token) ?? token)]),
  span: skipMeaningless,
  node: skipMeaningless,
} as const satisfies Readonly<Record<keyof Backend, (backend: Backend) => readonly FactContent[]>>;

export function collectBackendFacts(backend: Backend): readonly Fact[] {
  const { name } = backend;
  const of = { place: `backend ${name}`, owner: { kind: "backend", name } } as const;
  return Object.values(OF_BACKEND)
    .flatMap((say): readonly FactContent[] => say(backend))
    .map((said) => ({ ...of, ...said }));
}

/** The properties by which a person distinguishes models. Properties that the page does not state are left out. */
const OF_WEIGHTS = {
  name: ({ name }) => [name],
  path: ({ path }) => listOptional("weights", path?.value),
  // Only a build reads the field `file` of a model, so `capc diff` does not compare it.
  file: skipMeaningless,
  arch: ({ arch }) => listOptional("arch", arch),
  quantisation: ({ quantisation }) => listOptional("quantisation", quantisation),
  contextTokens: ({ contextTokens }) =>
    listOptional("context", contextTokens === 0 ? undefined : `${contextTokens} tokens`),
  tools: ({ tools }) => listOptional("tools", tools ? "true" : undefined),
  served: ({ served }) => listOptional("served", served),
  price: skipInTables,
  // `acceptPercent` has a fact of its own, because a lower value is a widening.
  acceptPercent: skipMeaningless,
  node: skipMeaningless,
} as const satisfies Readonly<Record<keyof Weights, (weights: Weights) => readonly string[]>>;

function collectWeightsFacts(what: string, weights: Weights): readonly FactContent[] {
  const words = Object.values(OF_WEIGHTS).flatMap((say): readonly string[] => say(weights));
  const { acceptPercent } = weights;
  const accepted: FactContent = {
    what: `right answers asked of its ${what}, of 10,000`,
    value: String(acceptPercent),
    measure: measureRank(-acceptPercent),
    without: "told",
  };
  return [makeIdentityFact(what, words.join(", ")), accepted];
}

function listOptional(what: string, says: string | undefined): readonly string[] {
  return says === undefined ? [] : [`${what} ${says}`];
}

/** Returns a fact that identifies a backend. If the value changes, another backend gets all rights of this name. */
function makeIdentityFact(what: string, value: string): FactContent {
  return { what, value, measure: measureMembers([value]), without: "other" };
}

function makeMemoryFact(bytes: bigint): FactContent {
  const of = { what: "bytes of memory", without: "told" } as const;
  if (bytes === 0n) return { ...of, value: "what its weights need", measure: WORD };
  return { ...of, value: String(bytes), measure: { kind: "ranked", rank: bytes } };
}
