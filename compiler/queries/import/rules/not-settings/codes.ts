import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const notSettings = defineDiagnostic<{ reason: string }>({
  code: "not-settings",
  severity: "error",
  say: ({ reason }) => escapeInvisible(reason),
  because: "Settings that are read in part would be judged in part.",
  help: () => "settings are one JSON object; `permissions` has `allow`, `ask` and `deny`, lists of texts",
});
