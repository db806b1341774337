export { noSuchTool } from "../../../phases/bind/codes.ts";

import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const coversNothing = defineDiagnostic<{ pattern: string }>({
  code: "rule-never-matches",
  severity: "error",
  say: ({ pattern }) => `\`${pattern}\` covers no tool of this page`,
  because: "A line that covers no tool permits or forbids nothing, and was surely meant to.",
  help: () => "leave it out, or declare the service that it was meant for",
});
