import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const upstreamName = defineDiagnostic<{ name: string; why: string }>({
  code: "upstream-name",
  severity: "error",
  say: ({ name, why }) => `\`${name}\` cannot be a name upstream: ${why}`,
  because: "Upstream accepts such a name in its files and fails at the start.",
  help: () => 'give it another name, in front of a capability with `scope "as NAME"`',
});
