import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const ruleShadowed = defineDiagnostic<{ pattern: string; why: string }>({
  code: "rule-shadowed",
  severity: "error",
  say: ({ pattern, why }) => `\`${pattern}\` decides nothing: ${why}`,
  because: "A line that decides nothing misleads the reader of the page.",
  help: () => "leave it out, or change what goes before it",
});
