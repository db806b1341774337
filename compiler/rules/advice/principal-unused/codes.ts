import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const principalUnused = defineDiagnostic<{ principal: string }>({
  code: "principal-unused",
  severity: "warning",
  say: ({ principal }) => `no session names the principal \`${principal}\``,
  because: "The page suggests that this person has rights, but no session grants any.",
  help: ({ principal }) => `write \`principals ${principal}\` in a session, or delete the principal`,
});
