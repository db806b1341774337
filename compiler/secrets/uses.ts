import type { Span } from "../../lang/text/index.ts";
import type { Model, Service } from "../bind/index.ts";
import { readScope, secretOf } from "../policy/index.ts";
import type { ScopePlace } from "../policy/scope.ts";

/** One endpoint that takes a credential along. */
export interface SecretUse {
  /** Of the service or backend. */
  readonly holder: string;
  /** Without `vault.`; nothing where the reference is none. */
  readonly secret: string | undefined;
  readonly isInTheClear: boolean;
  /** Where it would go: one place, or the page is in error. */
  readonly places: readonly ScopePlace[];
  /** The word that names it. */
  readonly at: Span;
}

/** In the order of the page's services, then its remote backends. */
export function secretUses({ services, backends }: Model): readonly SecretUse[] {
  const ofBackends = backends.flatMap(({ name, provider, token, node }): SecretUse[] => {
    const at = node.attributes.find(({ kind }) => kind === "token")?.span;
    if (token === undefined || at === undefined || provider === undefined) return [];
    const { places } = readScope([provider.address]).scope;
    return [{ holder: name, secret: secretOf(token), isInTheClear: false, places, at }];
  });
  return [...services.flatMap(usesOf), ...ofBackends];
}

function usesOf({ name, grants }: Service): readonly SecretUse[] {
  const words = grants.flatMap(({ scopes }) => scopes);
  const { places } = readScope(words.map(({ value }) => value)).scope;
  return words.flatMap(({ value, span }): SecretUse[] => {
    const { secret, secretInTheClear } = readScope([value]).scope;
    return secret === "" ? [] : [{ holder: name, secret, isInTheClear: secretInTheClear, places, at: span }];
  });
}

/** As it is bound to what is sealed. */
export function originOf({ scheme, host, port }: ScopePlace): string {
  const isUsual = port === (scheme === "https" ? 443 : 80);
  return `${scheme}://${host}${isUsual ? "" : `:${port}`}`;
}
