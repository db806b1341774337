import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const strayDoc = defineDiagnostic<Record<string, never>>({
  code: "stray-doc",
  severity: "warning",
  say: () => "this `///` line describes nothing",
  because: "Doc comments become reports and descriptions; where nothing follows that takes one, it is lost.",
  help: () => "write `//`, or move it before the declaration that it describes",
});
