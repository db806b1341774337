import type { NetworkPlan } from "../../../targets/contract/policy.ts";
import { isAddress, readCollector, readScope, type Scope } from "../../../targets/contract/scope.ts";
import type { BoundNetwork, Service } from "../bind/index.ts";

/** Returns the network plan of the machine, or `undefined` if the page states none or an incomplete one. */
export function planNetwork(network: BoundNetwork | undefined): NetworkPlan | undefined {
  if (network?.address?.text === "dhcp") return { which: "dhcp" };
  if (network?.address?.text !== "static") return undefined;
  const [, address = "", prefix = ""] = /^([\d.]+)\/(\d{1,2})$/.exec(network.host?.text ?? "") ?? [];
  const router = network.router?.text ?? "";
  const resolvers = network.resolvers.map(({ text }) => text);
  const areAddresses = [address, ...(router === "" ? [] : [router]), ...resolvers].every(isAddress);
  // A network with a prefix of 31 or 32 has too few addresses for the machine and its router; a prefix of 0 is not a
  // network.
  if (!areAddresses || Number(prefix) < 1 || Number(prefix) > 30) return undefined;
  return { which: "fixed", fixed: { address, prefix: Number(prefix), router, resolvers } };
}

/** Returns the scope of the audit collector, or `undefined` if the page keeps the audit records on the machine. */
export function readCollectorScope(network: BoundNetwork | undefined): Scope | undefined {
  return network?.collector && readCollector(network.collector.map(({ text }) => text)).scope;
}

/**
 * Returns the scope within which the network process may send requests for a service. The words of the service's only
 * grant state this scope.
 */
export function readServiceScope({ grants }: Service): Scope {
  return readScope(grants.flatMap(({ scopes }) => scopes.map(({ value }) => value))).scope;
}
