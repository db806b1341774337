import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";

export const reasonEmpty = defineDiagnostic<Record<string, never>>({
  code: "reason-empty",
  severity: "error",
  say: () => "this reason says nothing",
  because: "The reason is what reports and later readers have to judge the exception by.",
  help: () => 'say who needs it and why: `because "CHG-1182: the pager needs the status page"`',
});
