import type { Files } from "../../../dev/fixtures/facts.ts";

/** So many sessions that the console, with three connections for each, has more descriptors than its limit of 512. */
const sessions = Array.from({ length: 166 }, (_, index) => {
  return `  session guest${index + 1} { kind guest  models { auto canned }  permit { auto readOnly } }`;
});

const page = `system bad {
  use std.tools
  backend canned { stub }
  service notes : Files { state 1 MiB }
${sessions.join("\n")}
  storage { disk "capos-data" }
  image { target linux  machine vm  memory 64 GiB  boot guest1 }
}
`;

export const files: Files = { "/system.cap": page };
