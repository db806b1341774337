export { noSuchTool } from "../../../phases/bind/codes.ts";

import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const coversNothing = defineDiagnostic<{ pattern: string }>({
  code: "rule-never-matches",
  severity: "error",
  say: ({ pattern }) => `\`${pattern}\` covers no tool of this page`,
  because: "A rule without a tool has no effect, so its author surely meant another pattern.",
  help: () => "delete this pattern, or declare the missing service",
});
