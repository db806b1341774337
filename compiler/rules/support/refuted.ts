import { bug } from "../../../lang/diagnostics/index.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { Proof, ProvenClaim, Verdict } from "../../phases/prove/index.ts";
import type { ProvenPolicy } from "./verdict.ts";
import { renderWitness } from "./witness.ts";

/** Values that the message about a refuted assertion contains. */
export interface RefutationFacts {
  /** The prover's sentence about the last event of the counterexample. */
  readonly sentence: string;
  /** Text of the assertion. */
  readonly words: string;
  /** The conversations of the counterexample, one line for each step. */
  readonly story: string;
  /** Name that a line `waive` uses for an inherited assertion; `undefined` for the page's own assertions. */
  readonly inherited: string | undefined;
}

type RefutedVerdict = Extract<Verdict, { readonly kind: "refuted" }>;

/** Returns the refuted proofs whose claims satisfy `spoken`, each with its position. */
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

/** Returns the message of a finding that has no more specific message. */
export function describeRefutation({ words, sentence }: RefutationFacts): string {
  return `\`${words}\` does not hold: ${sentence}`;
}

/** Returns the position of the assertion. For an inherited assertion, returns the position of the backend or session that breaks it. */
export function placeOf({ origins, model }: ProvenPolicy, proof: Proof): Span {
  const { span, inherited, at = {} } = proof;
  if (span !== undefined && inherited === undefined) return span;
  const { backends, sessions } = origins;
  const named = backends.get(at.backend ?? "") ?? sessions.get(at.session ?? "") ?? model.system?.name.span;
  return named ?? bug("a page without a system was proved");
}

/** Returns the help text: the conversations, and how to waive an inherited assertion. */
export function describeHelp({ story, inherited }: RefutationFacts): string {
  const waived =
    inherited === undefined ? "" : `\nor waive the assertion, with a reason: \`waive ${inherited} because "…"\``;
  return `this can happen if a person approves every question; to prevent it, forbid one of these steps\n${story}${waived}`;
}
