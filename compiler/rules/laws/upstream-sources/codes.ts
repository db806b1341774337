import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const sourceUnfit = defineDiagnostic<{ source: string; why: string }>({
  code: "source-unfit",
  severity: "error",
  say: ({ source, why }) => `\`${source}\` cannot be granted: ${why}`,
  because: "A system that starts is worth more than one that only looks as if it could.",
  help: () => "leave it out",
});
