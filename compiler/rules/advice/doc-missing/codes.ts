import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const docMissing = defineDiagnostic<{ what: string; name: string }>({
  code: "doc-missing",
  severity: "warning",
  say: ({ what, name }) => `the ${what} \`${name}\` has no description`,
  because: "People see the name in questions, reports and audit records, and look up its meaning in the comment.",
  help: () => "write a comment `/// …` before the declaration",
});
