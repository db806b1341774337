// Lists the servers that the processes of a page may contact.

import { renderServer } from "../../engine/lib/reach/place.ts";
import type { Policy } from "../../targets/contract/policy.ts";
import type { ScopePlace } from "../../targets/contract/scope.ts";

/**
 * Returns the places in the network that services, remote models and the audit may contact. Those of services come
 * first, the collector of the audit last.
 */
export function listPlaces({ services, backends, collector }: Policy): readonly ScopePlace[] {
  const scopes = [
    ...services.map(({ scope }) => scope),
    ...backends.map((backend) => (backend.kind === "remote" ? backend.scope : undefined)),
    collector,
  ];
  return scopes.flatMap((scope) => scope?.places ?? []);
}

/** Returns the servers of a page without duplicates, such as `https://status.example.net`; `https://*` is any server. */
export function listServers(policy: Policy): readonly string[] {
  return [...new Set(listPlaces(policy).map(renderServer))];
}
