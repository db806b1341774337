import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import { describeHelp, describeRefutation, type RefutationFacts } from "../../support/refuted.ts";

export const assertionRefuted = defineDiagnostic<RefutationFacts>({
  code: "assertion-refuted",
  severity: "error",
  say: describeRefutation,
  because: "The assertion says that this never is so, and conversations that the page allows show that it can be.",
  help: describeHelp,
});
