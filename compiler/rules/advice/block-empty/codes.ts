import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const blockEmpty = defineDiagnostic<{ what: string; why: string }>({
  code: "block-empty",
  severity: "warning",
  say: ({ what, why }) => `${what} ${why}`,
  because: "An empty block does nothing; what was meant to stand in it is missing.",
  help: () => "write what it is to hold, or leave it out",
});
