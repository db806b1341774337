import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const deadAuthority = defineDiagnostic<{ line: string; tools: readonly string[]; why: string; help?: string }>({
  code: "dead-authority",
  severity: "warning",
  say: ({ line, tools, why }) => `\`${line}\` allows no call: ${formatTools(tools)} ${why}`,
  because: "No conversation can ever make such a call, and a reader of the line believes that one can.",
  help: ({ help }) =>
    help ??
    "let the label fit, with `starts`, `clearance`, the service's `label` or a `declassify` line, or write `forbidden`",
});

const MOST_NAMED = 3;

function formatTools(tools: readonly string[]): string {
  const some = tools.slice(0, MOST_NAMED).map((tool) => `\`${tool}\``);
  const more = tools.length - some.length;
  return `${some.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
