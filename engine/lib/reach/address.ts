// Decides to which IPv4 addresses a name may lead. IPv6 is not supported at all: an IPv6 address that contains an IPv4
// address (mapped, NAT64, 6to4) does not count as this IPv4 address.

/** Four bytes. */
export type Address = readonly [number, number, number, number];

/**
 * Parses an IPv4 address: four decimal numbers without leading zeros. Returns `undefined` for other forms, such as
 * 0x7f.1, which some programs accept.
 */
export function parseAddress(text: string): Address | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1) ?? [];
  if (parts.some((part) => part.length > 1 && part.startsWith("0"))) return undefined;
  const [a = 256, b = 256, c = 256, d = 256] = parts.map(Number);
  return Math.max(a, b, c, d) < 256 ? [a, b, c, d] : undefined;
}

export function formatAddress(address: Address): string {
  return address.join(".");
}

/**
 * IANA's registry of special-purpose addresses, and addresses that look public, but at which cloud providers offer
 * internal services.
 */
const NOT_PUBLIC: readonly (readonly [network: Address, bits: number, what: string])[] = [
  [[0, 0, 0, 0], 8, "of this network"],
  [[10, 0, 0, 0], 8, "private"],
  [[100, 64, 0, 0], 10, "of a provider's own network"],
  [[127, 0, 0, 0], 8, "this machine's own"],
  [[168, 63, 129, 16], 32, "a cloud's own service"],
  [[169, 254, 0, 0], 16, "of the link alone, where clouds answer with credentials"],
  [[172, 16, 0, 0], 12, "private"],
  [[192, 0, 0, 0], 24, "reserved"],
  [[192, 0, 2, 0], 24, "for documentation"],
  [[192, 88, 99, 0], 24, "a relay to IPv6"],
  [[192, 168, 0, 0], 16, "private"],
  [[198, 18, 0, 0], 15, "for measurements"],
  [[198, 51, 100, 0], 24, "for documentation"],
  [[203, 0, 113, 0], 24, "for documentation"],
  [[224, 0, 0, 0], 4, "for many receivers"],
  [[240, 0, 0, 0], 4, "reserved"],
];

/**
 * Returns why a name must not resolve to this address; `undefined` if it is public. An address that the page itself names is not checked.
 */
export function explainNotPublic(address: Address): string | undefined {
  const number = numberOf(address);
  return NOT_PUBLIC.find(([network, bits]) => (number ^ numberOf(network)) >>> (32 - bits) === 0)?.[2];
}

function numberOf([a, b, c, d]: Address): number {
  return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
}

/** Parses addresses separated by commas; skips anything else. */
export function parseAddresses(text: string): readonly Address[] {
  return text
    .split(",")
    .map(parseAddress)
    .filter((address) => address !== undefined);
}
