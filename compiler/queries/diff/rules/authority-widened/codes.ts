import { defineDiagnostic } from "../../../../../lang/diagnostics/index.ts";

export const authorityWidened = defineDiagnostic<{ what: string; before: string; after: string; story: string }>({
  code: "authority-widened",
  severity: "warning",
  say: ({ what, before, after }) => `${what}: ${before} → ${after}`,
  because: "The change allows more than before: a reviewer must approve this.",
  help: ({ story }) =>
    `give the reason at the end of the rule: \`because "…"\`${story === "" ? "" : `; this shows it\n${story}`}`,
});
