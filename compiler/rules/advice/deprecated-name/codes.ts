import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const deprecatedName = defineDiagnostic<{ name: string; instead: string }>({
  code: "deprecated-name",
  severity: "warning",
  say: ({ name, instead }) => `\`${name}\` is deprecated in favour of \`${instead}\``,
  because: "A name that is kept for old pages goes away one day, and means nothing more than the new one until then.",
  help: ({ instead }) => `write \`${instead}\``,
});
