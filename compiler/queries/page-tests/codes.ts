import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const testFailed = defineDiagnostic<{ title: string; expected: string; found: string; reason: string }>({
  code: "test-failed",
  severity: "error",
  say: ({ title, expected, found }) => `"${title}": expected ${expected}, found ${found}`,
  because: "The compiled policy does not decide as this test expects.",
  help: ({ reason }) => reason,
});
