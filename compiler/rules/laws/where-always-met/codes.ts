import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const whereAlwaysMet = defineDiagnostic<{ tool: string; check: string }>({
  code: "where-always-met",
  severity: "error",
  say: ({ tool, check }) => `every call of \`${tool}\` meets \`${check}\``,
  because: "A condition that is always met looks like a limit but limits nothing, and its `else` never applies.",
  help: () => "correct the bounds, or write the rule without the condition",
});
