import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const backendUnreachable = defineDiagnostic<{ backend: string; why: string }>({
  code: "backend-unreachable",
  severity: "error",
  say: ({ backend, why }) => `the backend \`${backend}\` never answers: ${why}`,
  because: "A backend that never answers has no effect, although its author relies on it.",
  help: () => "leave this backend out, or put it before the backend that always answers",
});
