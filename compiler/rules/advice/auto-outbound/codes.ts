import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const autoOutbound = defineDiagnostic<{ session: string; tools: readonly string[] }>({
  code: "auto-outbound",
  severity: "warning",
  say: ({ session, tools: [first = "", ...more] }) =>
    `in the session \`${session}\` no approval is required before \`${first}\`${more.length === 0 ? "" : ` and ${more.length} more`} may send data out`,
  because: "Data that has left the machine cannot be recalled, and a URL alone can contain a secret.",
  help: () => 'write `consent`, or allow only known addresses: `where origin(url) in ["https://…"] else consent`',
});
