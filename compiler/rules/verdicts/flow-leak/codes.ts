import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import { describeHelp, describeRefutation, type RefutationFacts } from "../../support/refuted.ts";

export const flowLeak = defineDiagnostic<RefutationFacts>({
  code: "flow-leak",
  severity: "error",
  // The sentence contains the label and its destination. The text of an inherited assertion states whose clearance is exceeded.
  say: (facts) => (facts.inherited === undefined ? facts.sentence : describeRefutation(facts)),
  because: "It was asserted never to flow there, and conversations that the page allows bring it there.",
  help: describeHelp,
});
