import { defineDiagnostic } from "../../../../../lang/diagnostics/index.ts";

export const authorityMoved = defineDiagnostic<{ what: string; before: string; after: string; story: string }>({
  code: "authority-moved",
  severity: "warning",
  say: ({ what, before, after }) => `${what}: ${before} → ${after}`,
  because:
    "The new rights are neither more nor less than the old ones, but different. A person must review this change.",
  help: ({ story }) => (story === "" ? undefined : `this shows it\n${story}`),
});
