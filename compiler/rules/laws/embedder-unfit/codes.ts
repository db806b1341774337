import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const embedderUnfit = defineDiagnostic<{ backend: string; why: string; instead: string }>({
  code: "embedder-unfit",
  severity: "error",
  say: ({ backend, why }) => `the embedder of the backend \`${backend}\` cannot be had: ${why}`,
  because:
    "All that is said in a session is told to its embedder, without a question: it must be nobody who is told less.",
  help: ({ instead }) => instead,
});
