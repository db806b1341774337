import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const sourceUnfit = defineDiagnostic<{ source: string; why: string }>({
  code: "source-unfit",
  severity: "error",
  say: ({ source, why }) => `\`${source}\` cannot be granted: ${why}`,
  because: "A page must describe a system that can start.",
  help: () => "delete the grant",
});
