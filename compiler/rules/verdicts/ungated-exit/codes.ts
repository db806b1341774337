import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import { describeHelp, describeRefutation, type RefutationFacts } from "../../support/refuted.ts";

export const ungatedExit = defineDiagnostic<RefutationFacts>({
  code: "ungated-exit",
  severity: "error",
  say: describeRefutation,
  because: "Text of strangers can control a model, which could then send private data without a person's approval.",
  help: describeHelp,
});
