import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const notEnforcedYet = defineDiagnostic<{ what: string; instead: string }>({
  code: "not-enforced-yet",
  severity: "error",
  say: ({ what }) => `the image cannot enforce ${what} yet`,
  because: "The author of a line relies on it. So a line that the image cannot enforce must be an error.",
  help: ({ instead }) => instead,
});
