import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const stepUpInherited = defineDiagnostic<{ session: string; tools: readonly string[] }>({
  code: "step-up-inherited",
  severity: "warning",
  say: ({ session, tools: [first = "", ...more] }) =>
    `no person in the session \`${session}\` can sign the step-up for \`${first}\`${more.length === 0 ? "" : ` and ${more.length} more`}`,
  because:
    "Step-up needs a signature with a principal's key. Without a principal the tool is advertised, but its calls never run.",
  help: () =>
    'write `principals NAME` with `principal NAME { ssh "keys/NAME.pub" }`, or forbid these tools in the session',
});
