import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const notEnforcedYet = defineDiagnostic<{ what: string; instead: string }>({
  code: "not-enforced-yet",
  severity: "error",
  say: ({ what }) => `the image cannot enforce ${what} yet`,
  because: "A line that is accepted but not enforced is worse than no line, because its author relies on it.",
  help: ({ instead }) => instead,
});
