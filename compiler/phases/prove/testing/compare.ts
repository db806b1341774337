// Compares the prover's verdicts with the naive evaluator's answers, and replays each witness with the evaluator and with the functions
// of the image.
import type { Model } from "../../bind/index.ts";
import type { Policy } from "../../policy/index.ts";
import type { Proof, Proofs, Witness } from "../index.ts";
import { breaks } from "./check-last-step.ts";
import { type Asked, answer, questionOf, reachedFor, subjectRows } from "./claims.ts";
import { otherFindings } from "./compare-findings.ts";
import { enacted, type Pace } from "./enact.ts";
import { askedForAll, askedOf, BY_CONVERSATIONS } from "./questions.ts";
import { type Reached, reach } from "./reach.ts";
import { replayed } from "./replay.ts";
import { type System, systemOf } from "./system.ts";

/** Number of claims with each verdict. */
export type Tally = Record<"proved" | "refuted" | "undetermined", number>;

/**
 * Returns descriptions of the verdicts and findings in which the prover and the naive evaluator differ; empty if they
 * agree.
 */
export function disagreements(policy: Policy, model: Model, proofs: Proofs, tally: Tally): string[] {
  const system = systemOf(policy, model);
  const own = askedOf(model).flatMap((asked, index) => {
    const proof = proofs.results.find(({ claim }) => claim === model.assertions[index]?.claim);
    return aboutOne(system, proof, [asked], tally);
  });
  const inherited = BY_CONVERSATIONS.flatMap((name) => {
    const proof = proofs.results.find((one) => one.inherited === name);
    const asked = askedForAll(system, model, name);
    if (asked === undefined) return proof === undefined ? [] : [`${name} was waived`];
    return aboutOne(system, proof, asked, tally);
  });
  return [...own, ...inherited, ...otherFindings(system, policy, proofs, reachedPlainly(system))];
}

function aboutOne(system: System, proof: Proof | undefined, asked: readonly Asked[], tally: Tally): string[] {
  // If all rows are waived, there is nothing to compare.
  if (proof === undefined && asked.every((one) => subjectRows(system, one).length === 0)) return [];
  if (proof === undefined) return [`no proof of ${asked.map(({ claim }) => claim.kind)}`];
  const { verdict, words } = proof;
  tally[verdict.kind]++;
  const violated = asked.filter((one) => answer(system, one, reachedOnce(system, one)) === "violated");
  if (verdict.kind === "proved") return violated.length === 0 ? [] : [`${words}: proved, and it is violated`];
  if (violated.length === 0) return [`${words}: ${verdict.kind}, and it holds`];
  if (verdict.kind === "undetermined") return [];
  const faults = violated.map((one) => faultOf(system, one, verdict.witness));
  return faults.includes(undefined) ? [] : [`${words}: refuted, and ${faults.join("; ")}`];
}

/** Returns the reason for which this witness is wrong, or `undefined` if it breaks the claim. */
function faultOf(system: System, asked: Asked, witness: Witness): string | undefined {
  const ended = replayed(system, questionOf(system, asked), witness);
  if (!ended.ok) return `impossible: ${ended.reason}`;
  if (!breaks(system, asked, ended.value)) return "its end breaks nothing";
  return enacted(system.tables, witness, paceOf(asked));
}

/** Cache of the reachable states without matchers, shared by all assertions that have none. */
const plain = new WeakMap<System, Reached>();

function reachedPlainly(system: System): Reached {
  const reached = plain.get(system) ?? reach(system, { matchers: [], withoutReleases: false });
  plain.set(system, reached);
  return reached;
}

function reachedOnce(system: System, asked: Asked): Reached {
  return questionOf(system, asked).matchers.length > 0 ? reachedFor(system, asked) : reachedPlainly(system);
}

/**
 * Returns whether a replay makes repeated calls in one turn: a limit per turn or call can be exceeded only within one
 * turn.
 */
function paceOf({ claim }: Asked): Pace {
  return claim.kind === "limit" && (claim.quota.scope === "turn" || claim.quota.scope === "call")
    ? "together"
    : "apart";
}
