import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const deadAuthority = defineDiagnostic<{ line: string; tools: readonly string[]; why: string; help?: string }>({
  code: "dead-authority",
  severity: "warning",
  say: ({ line, tools, why }) => `\`${line}\` allows no call: ${formatTools(tools)} ${why}`,
  because: "No conversation can ever make such a call, but the rule suggests that it can.",
  help: ({ help }) =>
    help ??
    "correct the label (`starts`, `clearance`, or `label` of the service), write a `declassify` rule, or write `forbidden`",
});

const MOST_NAMED = 3;

function formatTools(tools: readonly string[]): string {
  const some = tools.slice(0, MOST_NAMED).map((tool) => `\`${tool}\``);
  const more = tools.length - some.length;
  return `${some.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
