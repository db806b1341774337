// Plans the requests to a remote provider's model: their only address, and their limits.

import { isDialect, type RemoteDialect } from "../../../targets/contract/dialects.ts";
import type { RemotePlan } from "../../../targets/contract/policy.ts";
import { findSecret, placeIn, type Scope, type ScopePlace } from "../../../targets/contract/scope.ts";
import type { Backend, Weights } from "../bind/index.ts";

/**
 * Maximum size of a request in bytes; a request contains a whole conversation. The next constant is the maximum size of
 * an answer, which has a few hundred bytes for each token.
 */
const REQUEST_BYTES = 900_000;
const ANSWER_BYTES = 8 * 1024 * 1024;
/**
 * Timeout of a request in milliseconds, from the first name look-up to the last byte; it is long because a model may
 * need minutes for an answer.
 */
const MILLISECONDS = 300_000;
/** Context length of a conversation, in tokens, if the page states none: the smallest that providers offer. */
const REMOTE_CONTEXT_TOKENS = 8192;

/**
 * For each dialect, returns the path of requests: the path of the address on the page (`base`), followed by a fixed
 * path. If this address has no path, a request in the dialect of OpenAI goes to the path of OpenAI itself.
 */
const BEHIND: Readonly<Record<RemoteDialect, (base: string) => string>> = {
  openai: (base) => `${base === "" ? "/v1" : base}/chat/completions`,
  ollama: (base) => `${base}/api/chat`,
};

/** Returns the address for requests to a provider, or `undefined` if `address` is invalid. */
export function getProviderPlace(dialect: RemoteDialect, address: string): ScopePlace | undefined {
  const place = placeIn(address);
  return place && { ...place, path: BEHIND[dialect](place.path.replace(/\/$/, "")) };
}

/** Returns how the image sends requests to a remote backend, or `undefined` for a backend that a build refuses. */
export function planRemoteBackend({ name, provider, token }: Backend, model: Weights): RemotePlan | undefined {
  if (provider === undefined || !isDialect(provider.name) || model.served === undefined) return undefined;
  const place = getProviderPlace(provider.name, provider.address);
  if (place === undefined) return undefined;
  const scope: Scope = {
    places: [place],
    methods: ["POST"],
    requestBytes: REQUEST_BYTES,
    responseBytes: ANSWER_BYTES,
    milliseconds: MILLISECONDS,
    pins: [],
    secret: findSecret(token ?? "") ?? "",
    secretInTheClear: false,
  };
  return {
    name,
    kind: "remote",
    dialect: provider.name,
    model: model.served,
    contextTokens: model.contextTokens || REMOTE_CONTEXT_TOKENS,
    callsTools: model.tools,
    scope,
  };
}
