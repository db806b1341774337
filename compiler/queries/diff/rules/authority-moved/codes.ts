import { defineDiagnostic } from "../../../../../lang/diagnostics/index.ts";

export const authorityMoved = defineDiagnostic<{ what: string; before: string; after: string; story: string }>({
  code: "authority-moved",
  severity: "warning",
  say: ({ what, before, after }) => `${what}: ${before} → ${after}`,
  because: "It is neither more nor less than before, but something else: only the author can tell if that was meant.",
  help: ({ story }) => (story === "" ? undefined : `this shows it\n${story}`),
});
