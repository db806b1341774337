import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const backendUnreachable = defineDiagnostic<{ backend: string; why: string }>({
  code: "backend-unreachable",
  severity: "error",
  say: ({ backend, why }) => `the backend \`${backend}\` never answers: ${why}`,
  because: "A backend that never answers is a line without effect, and its author believes in it.",
  help: () => "leave it out, or put it before the one that always answers",
});
