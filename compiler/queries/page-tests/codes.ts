import { defineDiagnostic } from "../../../lang/diagnostics/index.ts";

export const testFailed = defineDiagnostic<{ title: string; expected: string; found: string; reason: string }>({
  code: "test-failed",
  severity: "error",
  say: ({ title, expected, found }) => `"${title}": expected ${expected}, found ${found}`,
  because: "The page says what must happen here, and the tables that it compiles to say something else.",
  help: ({ reason }) => reason,
});
