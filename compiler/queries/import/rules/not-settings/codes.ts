import { defineDiagnostic, escapeInvisible } from "../../../../../lang/diagnostics/index.ts";

export const notSettings = defineDiagnostic<{ reason: string; instead: string }>({
  code: "not-settings",
  severity: "error",
  say: ({ reason }) => escapeInvisible(reason),
  because: "If a part of the settings cannot be read, a review of the rest could be wrong.",
  help: ({ instead }) => instead,
});
