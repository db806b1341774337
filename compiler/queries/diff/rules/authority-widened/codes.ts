import { defineDiagnostic } from "../../../../../lang/diagnostics/index.ts";

export const authorityWidened = defineDiagnostic<{ what: string; before: string; after: string; story: string }>({
  code: "authority-widened",
  severity: "warning",
  say: ({ what, before, after }) => `${what}: ${before} → ${after}`,
  because: "More is allowed than before: the reviewer of the change has to want that.",
  help: ({ story }) =>
    `say why at the end of the line: \`because "…"\`${story === "" ? "" : `; this shows it\n${story}`}`,
});
