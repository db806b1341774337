// Defines the addresses that a rule about web requests names.

/**
 * A host of an address rule. `exact`: only this host. `below`: only its subdomains. `both`: the host and its
 * subdomains.
 */
export interface AddressPlace {
  readonly kind: "exact" | "below" | "both";
  readonly host: string;
}

export function renderAddressPlace(place: AddressPlace): string {
  const host = JSON.stringify(place.host);
  switch (place.kind) {
    case "exact":
      return `domain(url) == ${host}`;
    case "below":
      return `domain(url) under ${host} and domain(url) != ${host}`;
    case "both":
      return `domain(url) under ${host}`;
  }
}

/** Returns whether the first place contains every host of the second place. */
export function isAddressCovering(one: AddressPlace, other: AddressPlace): boolean {
  if (one.kind !== "exact" && other.host.endsWith(`.${one.host}`)) return true;
  return one.host === other.host && (one.kind === "both" || one.kind === other.kind);
}

/** Matches a host name in lower-case ASCII letters, without a port. IP addresses do not match. */
const HOST = /^(?=[a-z\d.-]{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/;

/**
 * Reads a host pattern: `a.example`, or `*.a.example` for its subdomains. For some agents, `*.a.example` includes the
 * host itself, so a rule that tightens the policy covers both. Returns `undefined` for any other text.
 */
export function parseHostPattern(pattern: string, effect: "loosens" | "tightens"): AddressPlace | undefined {
  const text = pattern.toLowerCase();
  const isWild = text.startsWith("*.");
  const host = isWild ? text.slice(2) : text;
  if (!HOST.test(host)) return undefined;
  return { kind: isWild ? (effect === "loosens" ? "below" : "both") : "exact", host };
}

/**
 * Reads a prefix of all addresses of one host, such as `https://a.example/`. Returns `undefined` for any other text.
 */
export function parseOrigin(text: string): AddressPlace | undefined {
  const host = /^https:\/\/([a-z\d.-]+)\/$/.exec(text)?.[1];
  return host !== undefined && HOST.test(host) ? { kind: "exact", host } : undefined;
}
