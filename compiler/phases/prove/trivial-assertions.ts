import type { Span } from "../../../lang/text/index.ts";
import type { Proofs } from "./proof.ts";

/** Returns the page's assertions that hold only because nothing on the page has a label that they are about. */
export function listTrivialAssertions({
  results,
}: Pick<Proofs, "results">): readonly { readonly assertion: string; readonly span: Span }[] {
  return results.flatMap(({ words, span, inherited, verdict }) =>
    span !== undefined && inherited === undefined && verdict.kind === "proved" && verdict.isUnlabelled
      ? [{ assertion: words, span }]
      : [],
  );
}
