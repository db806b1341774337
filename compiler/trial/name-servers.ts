// Lists the name servers of this host for the egress process. The egress process asks them itself, and refuses names
// that lead to addresses that are not public, as on a machine.

import { getServers } from "node:dns";
import { parseAddress } from "../../engine/lib/reach/address.ts";
import type { Policy } from "../../targets/contract/policy.ts";
import { listPlaces } from "./servers.ts";

/**
 * Returns the host's name servers in the form in which init passes them to egress: IPv4 addresses, separated by commas. Egress cannot use
 * IPv6 addresses or ports other than 53, so such name servers are left out.
 */
export function listNameServers(configured: readonly string[] = getServers()): string {
  return configured.filter((server) => parseAddress(server) !== undefined).join(",");
}

/** Returns whether the page grants a server by its name, so that a name server is needed. */
export function needsNameServer(policy: Policy): boolean {
  return listPlaces(policy).some(({ host }) => parseAddress(host) === undefined);
}
