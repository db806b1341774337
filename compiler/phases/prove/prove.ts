import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../bind/index.ts";
import { indexPolicyTables, type Policy } from "../policy/index.ts";
import { type Asked, collectPageClaims, NOTHING, type Question, type Watch } from "./asked.ts";
import { findDeadAuthority } from "./dead.ts";
import { promptDemand } from "./demand/demand.ts";
import { collectInheritedClaims, findIdleWaivers, listWaivedProofs } from "./inherited.ts";
import { getCompartments } from "./matcher.ts";
import type { Proof, Proofs } from "./proof.ts";
import { reachOf } from "./reach.ts";
import { Searches } from "./searches.ts";
import { buildStateSpace } from "./terrain.ts";
import { judgeQuestions } from "./verdict.ts";

/** Decides what the page asserts, and what holds for every page; for a policy of a page without errors. */
export function prove(policy: Policy, model: Model): Proofs {
  const tables = indexPolicyTables(policy);
  const asked = [...collectPageClaims(tables, model), ...collectInheritedClaims(tables, model)];
  const watches = asked.flatMap(({ questions }) => questions.flatMap(watchOf));
  const sets = watches.flatMap(({ matchers }) => matchers.map(getCompartments));
  const terrain = buildStateSpace(tables, model, sets);
  const searches = new Searches(terrain, watches);
  const results = asked.map((claim) => proveClaim(searches, claim));
  const explored = searches.exploreFor(NOTHING);
  const { running } = searches;
  const prompts = memoize(() => promptDemand(tables, running.asking));
  const dead = memoize(() => findDeadAuthority(terrain, running));
  const idle = memoize(() => findIdleWaivers(tables, model, (questions) => isProved(tables, model, questions)));
  return {
    results,
    waived: listWaivedProofs(model),
    reach: reachOf(terrain, explored),
    // A check tells neither: what nobody looks at is not worked out.
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
    mergedLabels: terrain.labels.size,
  };
}

/** On ground of its own: a page that waives nothing is not looked through for it. */
function isProved(tables: IndexedTables, model: Model, questions: readonly Question[]): boolean {
  const watches = questions.flatMap(watchOf);
  const sets = watches.flatMap(({ matchers }) => matchers.map(getCompartments));
  const searches = new Searches(buildStateSpace(tables, model, sets), watches);
  return judgeQuestions(searches, questions).verdict.kind === "proved";
}

function memoize<T extends object>(work: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= work();
    return made;
  };
}

function watchOf(question: Question): Watch[] {
  return question.kind === "reach" ? [question.watch] : [];
}

function proveClaim(searches: Searches, { questions, ...claim }: Asked): Proof {
  const { verdict, at } = judgeQuestions(searches, questions);
  return { ...claim, verdict, ...(claim.inherited !== undefined && at && { at }) };
}
