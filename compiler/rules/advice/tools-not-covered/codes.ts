import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const toolsNotCovered = defineDiagnostic<{ session: string; tools: readonly string[] }>({
  code: "tools-not-covered",
  severity: "warning",
  say: ({ session, tools }) => `no rule of the session \`${session}\` covers ${formatTools(tools)}`,
  because: "A tool without a rule never runs and is not shown to the model. The rule may have been forgotten.",
  help: () => "write a rule for these tools, or `suppress` them to show that this is intended",
});

function formatTools(tools: readonly string[]): string {
  const shown = tools.slice(0, 5).map((tool) => `\`${tool}\``);
  const more = tools.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}
