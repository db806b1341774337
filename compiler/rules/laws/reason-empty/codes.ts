import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const reasonEmpty = defineDiagnostic<Record<string, never>>({
  code: "reason-empty",
  severity: "error",
  say: () => "this reason is empty",
  because: "Reports show the reason of each exception, and reviewers judge the exception by its reason.",
  help: () => 'state who needs the exception and why: `because "CHG-1182: the pager needs the status page"`',
});
