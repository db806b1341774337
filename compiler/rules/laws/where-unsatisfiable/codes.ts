import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const whereUnsatisfiable = defineDiagnostic<{ tool: string; argument: string }>({
  code: "where-unsatisfiable",
  severity: "error",
  say: ({ tool, argument }) => `no value of \`${argument}\` of \`${tool}\` can meet this condition`,
  because: "A condition that is never met makes half of its line dead.",
  help: () => "correct the bounds, or write the line without the condition",
});
