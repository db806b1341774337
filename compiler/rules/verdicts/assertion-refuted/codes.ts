import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import { describeHelp, describeRefutation, type RefutationFacts } from "../../support/refuted.ts";

export const assertionRefuted = defineDiagnostic<RefutationFacts>({
  code: "assertion-refuted",
  severity: "error",
  say: describeRefutation,
  because: "The page allows conversations that break the assertion.",
  help: describeHelp,
});
