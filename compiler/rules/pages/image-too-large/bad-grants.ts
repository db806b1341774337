import type { Files } from "../../../dev/fixtures/facts.ts";

const services = Array.from(
  { length: 300 },
  (_, index) => `service kept_under_a_long_name_that_nobody_wants_to_type_${index} : Files { state 1 MiB }`,
);
const sessions = Array.from(
  { length: 65 },
  (_, index) => `session s${index} { kind operator  models { auto canned }  permit { auto readOnly } }`,
);

export const files: Files = {
  "/system.cap": `system crowded version "1.0.0" {
  use std.tools
  backend canned { stub }
  ${services.join("\n  ")}
  ${sessions.join("\n  ")}
  storage { disk "capos-data" }
  image { target linux  machine vm  memory 64 GiB  boot s0 }
}
`,
};
