import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const upstreamName = defineDiagnostic<{ name: string; why: string }>({
  code: "upstream-name",
  severity: "error",
  say: ({ name, why }) => `\`${name}\` cannot be a name upstream: ${why}`,
  because: "What does not fit upstream takes in its files and cannot hold when it starts.",
  help: () => 'give it another name, in front of a capability with `scope "as NAME"`',
});
