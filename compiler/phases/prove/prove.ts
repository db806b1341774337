import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../bind/index.ts";
import { indexPolicyTables, type Policy } from "../policy/index.ts";
import { findDeadAuthority } from "./dead-cells.ts";
import { promptDemand } from "./demand/demand.ts";
import { collectInheritedClaims, findIdleWaivers, listWaivedProofs } from "./inherited.ts";
import { getCompartments } from "./matcher.ts";
import {
  collectPageClaims,
  type HistoryQuery,
  NO_HISTORY,
  type ProofObligation,
  type Question,
} from "./obligations.ts";
import type { Proof, Proofs } from "./proof.ts";
import { computeReachability } from "./reachability.ts";
import { Searches } from "./searches.ts";
import { buildStateSpace } from "./state-space.ts";
import { decideQuestions } from "./verdict.ts";

/** Proves the page's assertions and the inherited claims, for the policy of a page without errors. */
export function prove(policy: Policy, model: Model): Proofs {
  const tables = indexPolicyTables(policy);
  const obligations = [...collectPageClaims(tables, model), ...collectInheritedClaims(tables, model)];
  const histories = obligations.flatMap(({ questions }) => questions.flatMap(listHistories));
  const sets = histories.flatMap(({ matchers }) => matchers.map(getCompartments));
  const space = buildStateSpace(tables, model, sets);
  const searches = new Searches(space, histories);
  const results = obligations.map((obligation) => proveClaim(searches, obligation));
  const reachable = searches.exploreFor(NO_HISTORY);
  const { reachability } = searches;
  const prompts = memoize(() => promptDemand(tables, reachability.promptReachability));
  const dead = memoize(() => findDeadAuthority(space, reachability));
  const idle = memoize(() => findIdleWaivers(tables, model, (questions) => isProved(tables, model, questions)));
  return {
    results,
    waived: listWaivedProofs(model),
    reach: computeReachability(space, reachable),
    // `capc check` does not need these results, so they are computed on demand.
    get prompts() {
      return prompts();
    },
    get dead() {
      return dead();
    },
    get idleWaivers() {
      return idle();
    },
    states: searches.states,
    mergedLabels: space.labels.size,
  };
}

/**
 * Returns whether a waived claim is proved, given the questions that decide it. The function builds its own state
 * space, which only pages with waivers need.
 */
function isProved(tables: IndexedTables, model: Model, questions: readonly Question[]): boolean {
  const histories = questions.flatMap(listHistories);
  const sets = histories.flatMap(({ matchers }) => matchers.map(getCompartments));
  const searches = new Searches(buildStateSpace(tables, model, sets), histories);
  return decideQuestions(searches, questions).verdict.kind === "proved";
}

function memoize<T extends object>(work: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= work();
    return made;
  };
}

function listHistories(question: Question): HistoryQuery[] {
  return question.kind === "reach" ? [question.history] : [];
}

function proveClaim(searches: Searches, { questions, ...obligation }: ProofObligation): Proof {
  const { verdict, at } = decideQuestions(searches, questions);
  return { ...obligation, verdict, ...(obligation.inherited !== undefined && at && { at }) };
}
