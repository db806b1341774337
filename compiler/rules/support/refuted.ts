import { bug } from "../../../lang/diagnostics/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { Proof, ProvenClaim, Verdict } from "../../phases/prove/index.ts";
import type { ProvenPolicy } from "./verdict.ts";
import { renderWitness } from "./witness.ts";

/** Facts of every finding about a refuted assertion. */
export interface RefutationFacts {
  /** Last event of the counterexample, in the prover's words. */
  readonly sentence: string;
  /** Words of the assertion. */
  readonly words: string;
  /** The conversations that show it, one line for each step. */
  readonly story: string;
  /** The name with which it may be waived; only inherited assertions have one. */
  readonly inherited: string | undefined;
}

type RefutedVerdict = Extract<Verdict, { readonly kind: "refuted" }>;

/** Returns the refuted proofs whose claims satisfy `spoken`, each with its place. */
export function findRefuted(
  proven: ProvenPolicy,
  spoken: (claim: ProvenClaim) => boolean,
): { readonly span: Span; readonly facts: RefutationFacts }[] {
  const { results } = proven.proofs;
  return results.flatMap((proof) => {
    const { verdict, claim } = proof;
    if (verdict.kind !== "refuted" || !spoken(claim)) return [];
    return [{ span: placeOf(proven, proof), facts: collectFacts(proven, proof, verdict) }];
  });
}

function collectFacts(
  { policy }: ProvenPolicy,
  { words, inherited }: Proof,
  { sentence, witness }: RefutedVerdict,
): RefutationFacts {
  const story = renderWitness(policy.tables, witness).join("\n");
  return { sentence, words, inherited, story };
}

/** Returns the message of a finding without more specific words. */
export function describeRefutation({ words, sentence }: RefutationFacts): string {
  return `\`${words}\` does not hold: ${sentence}`;
}

/** Returns the line of the assertion; for an inherited one, the backend or the session that it concerns. */
export function placeOf({ origins, model }: ProvenPolicy, proof: Proof): Span {
  const { span, inherited, at = {} } = proof;
  if (span !== undefined && inherited === undefined) return span;
  const { backends, sessions } = origins;
  const named = backends.get(at.backend ?? "") ?? sessions.get(at.session ?? "") ?? model.system?.name.span;
  return named ?? bug("a page without a system was proved");
}

/** Returns the help: the conversations, and how to waive an inherited assertion. */
export function describeHelp({ story, inherited }: RefutationFacts): string {
  const waived =
    inherited === undefined ? "" : `\nor waive the assertion, with a reason: \`waive ${inherited} because "…"\``;
  return `this can happen if a person approves every question; to prevent it, forbid one of these steps\n${story}${waived}`;
}
