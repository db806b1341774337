/**
 * Declarations at the start of each page: levels, the interfaces `Store`, `Desk` and `Vault`, and an image that boots
 * the session `day`.
 */
const FRAME = `
  confidentiality { public < internal < secret }
  integrity { untrusted < reviewed }
  interface Store { method look : readOnly arg path is path  method put : mutatingLocal arg path is path }
  interface Desk { method ask : outboundNet arg url is url  method post : outboundNet arg line is text sends secret }
  interface Vault { method peek : readOnly  method drop : destructive }
  image { target linux  machine vm  boot day }`;

/** Returns a small page with three interfaces, to which a test adds only its own lines. */
export function framed(lines: string): string {
  return `system sample {\n${FRAME}\n${lines}\n}`;
}
