// Normalizes hosts for `domain`: those of URLs, and those after @ in e-mail addresses. An ambiguous text has no domain; the caller then
// takes the strictest mode.
import { parsePlainUrl } from "./place.ts";

/** Matches a single address without a name in front, brackets or a list. */
const ADDRESS = /^[^\s@<>()[\]",;:\\]{1,64}@([^\s@<>()[\]",;:\\/?#]{1,253})$/u;

/** Returns the domain of a URL or of an e-mail address, in lower case, or `undefined` if the text is neither. */
export function parseDomain(text: string): string | undefined {
  const domain = ADDRESS.exec(text)?.[1];
  if (domain !== undefined) return parseHost(domain);
  const host = parsePlainUrl(text)?.hostname;
  return host === undefined || host === "" ? undefined : removeRootDot(host);
}

/** Returns a host name as WHATWG URL writes it, or `undefined` if it is not one. */
function parseHost(name: string): string | undefined {
  const host = parsePlainUrl(`http://${name}/`)?.hostname;
  return host === undefined ? undefined : removeRootDot(host);
}

/**
 * Returns the host without its final dot, because `a.example.` and `a.example` are one host; `undefined` if nothing or another final dot is
 * left.
 */
function removeRootDot(host: string): string | undefined {
  const bare = host.endsWith(".") ? host.slice(0, -1) : host;
  return bare === "" || bare.endsWith(".") ? undefined : bare;
}

/** Returns whether a text is a domain in the one spelling that `parseDomain` gives. */
export function isDomain(text: string): boolean {
  return !/[@/?#:\\*]/.test(text.replace(/^\[[0-9a-f:.]*\]$/, "")) && parseHost(text) === text;
}

/** Returns whether a domain equals another domain or is below it, label by label. */
export function isWithinDomain(domain: string, root: string): boolean {
  return domain === root || domain.endsWith(`.${root}`);
}
