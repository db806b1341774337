import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const toolsNotCovered = defineDiagnostic<{ session: string; tools: readonly string[] }>({
  code: "tools-not-covered",
  severity: "warning",
  say: ({ session, tools }) => `no line of the session \`${session}\` covers ${formatTools(tools)}`,
  because: "A tool without a line never runs and is not shown to the model; the line may have been forgotten.",
  help: () => "write a line for it, or `suppress` it to say that it is meant",
});

function formatTools(tools: readonly string[]): string {
  const shown = tools.slice(0, 5).map((tool) => `\`${tool}\``);
  const more = tools.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}
