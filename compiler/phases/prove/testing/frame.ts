/**
 * Declarations of a small page: stores, desks with a network grant, vaults, and an image that boots `day`. The test's own declarations
 * follow.
 */
const FRAME = `
  confidentiality { public < internal < secret }
  integrity { untrusted < reviewed }
  interface Store { method look : readOnly arg path is path  method put : mutatingLocal arg path is path }
  interface Desk { method ask : outboundNet arg url is url  method post : outboundNet arg line is text sends secret }
  interface Vault { method peek : readOnly  method drop : destructive }
  image { target linux  machine vm  boot day }`;

/** Returns a small page with three interfaces and the test's own declarations. */
export function framed(lines: string): string {
  return `system sample {\n${FRAME}\n${lines}\n}`;
}
