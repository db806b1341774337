import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const testFailed = defineDiagnostic<{ title: string; expected: string; found: string; reason: string }>({
  code: "test-failed",
  severity: "error",
  say: ({ title, expected, found }) => `"${title}": expected ${expected}, found ${found}`,
  because: "A test states the expected decision, and the compiled tables decide otherwise.",
  help: ({ reason }) => reason,
});
