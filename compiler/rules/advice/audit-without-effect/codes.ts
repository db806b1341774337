import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const auditWithoutEffect = defineDiagnostic<{ fault: string; instead: string }>({
  code: "audit-without-effect",
  severity: "warning",
  say: ({ fault }) => `this line of \`audit\` has no effect: ${fault}`,
  because:
    "Digests replace only text whose label is above the label of the line. Records are kept only on a data disk.",
  help: ({ instead }) => instead,
});
