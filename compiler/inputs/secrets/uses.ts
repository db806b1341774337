import type { Span } from "../../../lang/text/index.ts";
import type { Name } from "../../../lang/tree/index.ts";
import type { ScopePlace } from "../../../targets/contract/scope.ts";
import type { Model } from "../../phases/bind/index.ts";
import { findSecret, readScope } from "../../phases/policy/index.ts";

/** A use of a sealed credential by an endpoint that sends it. */
export interface SecretUse {
  /** Name of the service or backend, or the collector. */
  readonly holder: string;
  /** Name without `vault.`; `undefined` if the reference does not name a secret. */
  readonly secret: string | undefined;
  readonly isInTheClear: boolean;
  /** Network addresses to which the secret would be sent: exactly one, unless the page is in error. */
  readonly places: readonly ScopePlace[];
  /** Place of the word that names the secret. */
  readonly at: Span;
}

/** Returns the uses of secrets: first of the page's services, then of its remote backends, then of the collector. */
export function collectSecretUses({ services, backends, network }: Model): readonly SecretUse[] {
  const ofBackends = backends.flatMap(({ name, provider, token, node }): SecretUse[] => {
    const at = node.attributes.find(({ kind }) => kind === "token")?.span;
    if (token === undefined || at === undefined || provider === undefined) return [];
    const { places } = readScope([provider.address]).scope;
    return [{ holder: name, secret: findSecret(token), isInTheClear: false, places, at }];
  });
  const granted = services.filter(({ grants }) => grants.length > 0);
  const ofServices = granted.flatMap(({ name, grants }) =>
    collectUses(
      name,
      grants.flatMap(({ scopes }) => scopes.map(({ value: text, span }) => ({ text, span }))),
    ),
  );
  return [...ofServices, ...ofBackends, ...collectUses("collector", network?.collector ?? [])];
}

/** Returns the uses of secrets in one scope. */
function collectUses(holder: string, words: readonly Name[]): readonly SecretUse[] {
  const { places } = readScope(words.map(({ text }) => text)).scope;
  return words.flatMap(({ text, span }): SecretUse[] => {
    const { secret, secretInTheClear } = readScope([text]).scope;
    return secret === "" ? [] : [{ holder, secret, isInTheClear: secretInTheClear, places, at: span }];
  });
}
