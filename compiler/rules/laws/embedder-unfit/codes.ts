import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const embedderUnfit = defineDiagnostic<{ backend: string; why: string; instead: string }>({
  code: "embedder-unfit",
  severity: "error",
  say: ({ backend, why }) => `the embedder of the backend \`${backend}\` cannot be had: ${why}`,
  because: "The embedder of a session hears every message without a question, so its clearance must not be lower.",
  help: ({ instead }) => instead,
});
