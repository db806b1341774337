import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const auditWithoutEffect = defineDiagnostic<{ fault: string; instead: string }>({
  code: "audit-without-effect",
  severity: "warning",
  say: ({ fault }) => `the \`audit\` withholds nothing: ${fault}`,
  because:
    "The log has only digests of text whose label is above the label of the line. Without such text it has all text.",
  help: ({ instead }) => instead,
});
