import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const notEnforcedYet = defineDiagnostic<{ what: string; instead: string }>({
  code: "not-enforced-yet",
  severity: "error",
  say: ({ what }) => `${what} cannot be enforced by the image yet`,
  because: "A line that is accepted and does nothing is worse than none: its author believes that it holds.",
  help: ({ instead }) => instead,
});
