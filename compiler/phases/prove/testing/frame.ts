/** Stores, desks with a network grant, vaults, and a machine that boots `day`; a page's own lines come after. */
const FRAME = `
  confidentiality { public < internal < secret }
  integrity { untrusted < reviewed }
  interface Store { method look : readOnly arg path is path  method put : mutatingLocal arg path is path }
  interface Desk { method ask : outboundNet arg url is url  method post : outboundNet arg line is text sends secret }
  interface Vault { method peek : readOnly  method drop : destructive }
  image { target linux  machine vm  boot day }`;

/** A small page about three interfaces, of which only its own lines are told. */
export function framed(lines: string): string {
  return `system sample {\n${FRAME}\n${lines}\n}`;
}
