import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const docMissing = defineDiagnostic<{ what: string; name: string }>({
  code: "doc-missing",
  severity: "warning",
  say: ({ what, name }) => `the ${what} \`${name}\` has no description`,
  because: "Its name is what people meet in questions, reports and audits; the comment is what they look up.",
  help: () => "write a line `/// …` before it",
});
