import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const autoOutbound = defineDiagnostic<{ session: string; tools: readonly string[] }>({
  code: "auto-outbound",
  severity: "warning",
  say: ({ session, tools: [first = "", ...more] }) =>
    `in the session \`${session}\` nobody is asked before \`${first}\`${more.length === 0 ? "" : ` and ${more.length} more`} may send something out`,
  because: "Data that has left the machine cannot be called back, and an address alone can carry a secret.",
  help: () => 'write `consent`, or let only known places through: `where origin(url) in ["https://…"] else consent`',
});
