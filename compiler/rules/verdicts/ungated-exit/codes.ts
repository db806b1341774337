import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import { describeHelp, describeRefutation, type RefutationFacts } from "../../support/refuted.ts";

export const ungatedExit = defineDiagnostic<RefutationFacts>({
  code: "ungated-exit",
  severity: "error",
  say: describeRefutation,
  because: "Text of strangers can steer a model: without a question to a person it can act and send by itself.",
  help: describeHelp,
});
