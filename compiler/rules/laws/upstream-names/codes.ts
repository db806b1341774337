import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const upstreamName = defineDiagnostic<{ name: string; why: string }>({
  code: "upstream-name",
  severity: "error",
  say: ({ name, why }) => `upstream does not accept the name \`${name}\`: ${why}`,
  because: "Upstream accepts such a name in its boot file, but fails at the start.",
  help: () => 'choose another name; for a capability use `scope "as NAME"`',
});
