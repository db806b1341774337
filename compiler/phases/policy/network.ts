import type { NetworkPlan } from "../../../targets/contract/policy.ts";
import { isAddress, readCollector, readScope, type Scope } from "../../../targets/contract/scope.ts";
import type { BoundNetwork, Service } from "../bind/index.ts";

/** What the page says of how the machine is reached; nothing where it says that it is not, or not enough. */
export function planNetwork(network: BoundNetwork | undefined): NetworkPlan | undefined {
  if (network?.address?.text === "dhcp") return { which: "dhcp" };
  if (network?.address?.text !== "static") return undefined;
  const [, address = "", prefix = ""] = /^([\d.]+)\/(\d{1,2})$/.exec(network.host?.text ?? "") ?? [];
  const router = network.router?.text ?? "";
  const resolvers = network.resolvers.map(({ text }) => text);
  const areAddresses = [address, ...(router === "" ? [] : [router]), ...resolvers].every(isAddress);
  // A prefix of 31 or 32 leaves nobody beside the machine; one of 0 is no network.
  if (!areAddresses || Number(prefix) < 1 || Number(prefix) > 30) return undefined;
  return { which: "fixed", fixed: { address, prefix: Number(prefix), router, resolvers } };
}

/** Where the audit's records go; nothing where the page says that they stay. */
export function readCollectorScope(network: BoundNetwork | undefined): Scope | undefined {
  return network?.collector && readCollector(network.collector.map(({ text }) => text)).scope;
}

/** What a service that the process with the network answers for may ask: the words of its one grant. */
export function readServiceScope({ grants }: Service): Scope {
  return readScope(grants.flatMap(({ scopes }) => scopes.map(({ value }) => value))).scope;
}
