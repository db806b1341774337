import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const hintStricter = defineDiagnostic<{ tool: string; category: string; claim: string }>({
  code: "hint-stricter",
  severity: "warning",
  say: ({ tool, category, claim }) => `\`${tool}\` is ${category} here, and its server says ${claim}`,
  because: "A server has no reason to make its own tool look worse than it is.",
  help: () => "look at what the tool does, and give it a stricter category or silence this with the reason",
});
