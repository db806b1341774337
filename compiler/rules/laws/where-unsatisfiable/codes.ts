import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const whereUnsatisfiable = defineDiagnostic<{ tool: string; argument: string }>({
  code: "where-unsatisfiable",
  severity: "error",
  say: ({ tool, argument }) => `no value of \`${argument}\` of \`${tool}\` can meet this condition`,
  because: "If a condition is never met, the mode before `else` never applies.",
  help: () => "correct the bounds, or write the rule without the condition",
});
