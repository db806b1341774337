import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import { describeHelp, describeRefutation, type RefutationFacts } from "../../support/refuted.ts";

export const ungatedExit = defineDiagnostic<RefutationFacts>({
  code: "ungated-exit",
  severity: "error",
  say: describeRefutation,
  because: "What a stranger wrote can steer a model: where nobody is asked, it can act and send by itself.",
  help: describeHelp,
});
