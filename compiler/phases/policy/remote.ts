// Plans a remote provider's model: the single address for its requests, and their limits.

import { isDialect, type RemoteDialect } from "../../../targets/contract/dialects.ts";
import type { RemotePlan } from "../../../targets/contract/policy.ts";
import { findSecret, placeIn, type Scope, type ScopePlace } from "../../../targets/contract/scope.ts";
import type { Backend, Weights } from "../bind/index.ts";

/**
 * Maximum size of a request in bytes. A request contains a whole conversation. ANSWER_BYTES is the limit of an answer, for which a provider
 * sends some hundred bytes per token.
 */
const REQUEST_BYTES = 900_000;
const ANSWER_BYTES = 8 * 1024 * 1024;
/** Timeout of a request in milliseconds, from the name look-up to the last byte. A long answer of a model takes minutes. */
const MILLISECONDS = 300_000;
/** Context length of a conversation, in tokens, if the page states none: the smallest length that providers offer. */
const REMOTE_CONTEXT_TOKENS = 8192;

/** Path of the requests, given the path of the provider's address on the page. For `openai`, an empty path means OpenAI's own `/v1`. */
const BEHIND: Readonly<Record<RemoteDialect, (base: string) => string>> = {
  openai: (base) => `${base === "" ? "/v1" : base}/chat/completions`,
  ollama: (base) => `${base}/api/chat`,
};

/** Returns the address for requests to a provider, or `undefined` if `address` is invalid. */
export function getProviderPlace(dialect: RemoteDialect, address: string): ScopePlace | undefined {
  const place = placeIn(address);
  return place && { ...place, path: BEHIND[dialect](place.path.replace(/\/$/, "")) };
}

/** Returns the plan of a remote backend, or `undefined` for a backend that a build refuses. */
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
