// Pages for upstream's kernel, for facts about its laws.

import { page } from "./facts.ts";

/** The head of a static program for x86-64. */
export const ELF = Uint8Array.from([
  ...[0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, ...Array(9).fill(0)],
  ...[2, 0, 62, 0, ...Array(44).fill(0)],
]);

/** Programs that lie beside such a page. */
export const PROGRAMS = { "/clock": ELF, "/journal": ELF };

interface UpstreamParts {
  readonly services?: string;
  readonly image?: string;
  readonly top?: string;
  readonly sessions?: string;
}

export function upstreamPage({ services, image = "", top = "", sessions }: UpstreamParts): string {
  return page({
    top,
    services: services ?? 'service journal : Logs { exec "journal" }',
    sessions: sessions ?? "session operator { kind operator  models { auto canned }  permit { auto readOnly } }",
    rest: `image { target capos  boot operator  ${image} }`,
  });
}
