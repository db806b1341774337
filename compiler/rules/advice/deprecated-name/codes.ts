import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const deprecatedName = defineDiagnostic<{ name: string; instead: string }>({
  code: "deprecated-name",
  severity: "warning",
  say: ({ name, instead }) => `\`${name}\` is deprecated in favour of \`${instead}\``,
  because: "The old name means the same as the new name, and a later version of capc will remove it.",
  help: ({ instead }) => `write \`${instead}\``,
});
