// Collects facts of scopes: the servers to which a service or the audit may send requests, and the limits of these requests.

import type { Scope } from "../../../targets/contract/scope.ts";
import { type Fact, type FactContent, measureMembers, measureRank, measureRegions } from "./facts.ts";

/**
 * Returns the facts of each field of a scope. A new or removed scope is reported by the facts about its addresses and
 * its credential.
 */
const OF_SCOPE = {
  places: ({ places }, extent) => {
    const addresses = places.map(({ scheme, host, port, path }) => ({ root: `${scheme}://${host}:${port}`, path }));
    const texts = addresses.map(({ root, path }) => `${root}${path}`);
    const measure = extent === "below" ? measureRegions(addresses) : measureMembers(texts);
    return [{ what: "may ask", value: texts.join(", ") || "nobody", measure, without: "less" }];
  },
  methods: ({ methods }) => [
    { what: "asks by", value: methods.join(", "), measure: measureMembers(methods), without: "told" },
  ],
  requestBytes: ({ requestBytes }) => [makeAmountFact("bytes of a request", requestBytes)],
  responseBytes: ({ responseBytes }) => [makeAmountFact("bytes of an answer", responseBytes)],
  milliseconds: ({ milliseconds }) => [makeAmountFact("milliseconds of a request", milliseconds)],
  // Without pins, every key with a certificate of a trusted authority is accepted.
  pins: ({ pins }) => {
    const keys = pins.map((pin) => Buffer.from(pin).toString("hex"));
    const measure = measureMembers(keys.length === 0 ? undefined : keys);
    return [{ what: "pinned keys", value: keys.length === 0 ? "none" : keys.join(", "), measure, without: "told" }];
  },
  secret: ({ secret }) => (secret === "" ? [] : [makeCredentialFact(secret)]),
  secretInTheClear: ({ secretInTheClear: clear }) => [
    {
      what: "credential without TLS",
      value: clear ? "yes" : "no",
      measure: measureRank(clear ? 1 : 0),
      without: "told",
    },
  ],
} as const satisfies Readonly<Record<keyof Scope, (scope: Scope, extent: Extent) => readonly FactContent[]>>;

/**
 * The paths of an address to which requests may go. `below`: every path below the address, for scopes of services.
 * `exact`: only the path of the address, for the audit's collector.
 */
type Extent = "below" | "exact";

export function collectScopeFacts(
  of: Pick<Fact, "place" | "owner">,
  scope: Scope,
  extent: Extent = "exact",
): readonly Fact[] {
  return Object.values(OF_SCOPE)
    .flatMap((say): readonly FactContent[] => say(scope, extent))
    .map((said) => ({ ...of, ...said }));
}

/**
 * Returns the fact of a credential. Two credentials cannot be compared, because it is unknown which of them gives
 * access to more.
 */
export function makeCredentialFact(name: string): FactContent {
  return { what: "credential", value: name, measure: measureMembers([name]), without: "less" };
}

function makeAmountFact(what: string, number: number): FactContent {
  return { what, value: String(number), measure: measureRank(number), without: "told" };
}
