import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const principalUnused = defineDiagnostic<{ principal: string }>({
  code: "principal-unused",
  severity: "warning",
  say: ({ principal }) => `no session names the principal \`${principal}\``,
  because: "A reader of the page may think that this person can do something.",
  help: ({ principal }) => `write \`principals ${principal}\` in a session, or leave it out`,
});
