import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const strayDoc = defineDiagnostic<Record<string, never>>({
  code: "stray-doc",
  severity: "warning",
  say: () => "this `///` comment documents nothing",
  because:
    "Doc comments appear in reports and descriptions. A doc comment without a declaration after it appears nowhere.",
  help: () => "write `//`, or move the comment before the declaration that it describes",
});
