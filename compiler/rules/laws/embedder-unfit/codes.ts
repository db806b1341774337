import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const embedderUnfit = defineDiagnostic<{ backend: string; why: string; instead: string }>({
  code: "embedder-unfit",
  severity: "error",
  say: ({ backend, why }) => `the backend \`${backend}\` cannot use this embedder: ${why}`,
  because:
    "The embedder of a session reads every message without approval, so its clearance must not be lower than the session's.",
  help: ({ instead }) => instead,
});
