import { defineDiagnostic } from "../../../../lang/diagnostics/index.ts";
import { describeHelp, describeRefutation, type RefutationFacts } from "../../support/refuted.ts";

export const flowLeak = defineDiagnostic<RefutationFacts>({
  code: "flow-leak",
  severity: "error",
  // The sentence of the prover contains the label and the sink. For an inherited assertion, the message also quotes
  // the assertion, which states whose clearance is exceeded.
  say: (facts) => (facts.inherited === undefined ? facts.sentence : describeRefutation(facts)),
  because: "The page allows conversations that send the data to a sink that the assertion excludes.",
  help: describeHelp,
});
