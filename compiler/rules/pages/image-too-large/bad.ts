import type { Files } from "../../../dev/fixtures/facts.ts";

const backends = Array.from({ length: 126 }, (_, index) => `b${index}`);
const [last, ...others] = backends;

export const files: Files = {
  "/system.cap": `system crowded version "1.0.0" {
  use std.tools
  ${backends.map((name) => `backend ${name} { stub }`).join("\n  ")}
  service notes : Files { state 1 MiB }
  session operator {
    kind operator
    models { ${others.map((name) => `consent ${name}`).join("  ")}  auto ${last} }
    permit { auto readOnly }
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  memory 64 GiB  boot operator }
}
`,
};
