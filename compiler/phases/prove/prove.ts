import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../bind/index.ts";
import { indexedTables, type Policy } from "../policy/index.ts";
import { type Asked, NOTHING, pageClaims, type Question, type Watch } from "./asked.ts";
import { deadAuthority } from "./dead.ts";
import { promptDemand } from "./demand/demand.ts";
import { idleWaivers, inheritedClaims, waivedProofs } from "./inherited.ts";
import { compartmentsOf } from "./matcher.ts";
import type { Proof, Proofs } from "./proof.ts";
import { reachOf } from "./reach.ts";
import { Searches } from "./searches.ts";
import { terrainOf } from "./terrain.ts";
import { verdictOn } from "./verdict.ts";

/** Decides what the page asserts, and what holds for every page; for a policy of a page without errors. */
export function prove(policy: Policy, model: Model): Proofs {
  const tables = indexedTables(policy);
  const asked = [...pageClaims(tables, model), ...inheritedClaims(tables, model)];
  const watches = asked.flatMap(({ questions }) => questions.flatMap(watchOf));
  const sets = watches.flatMap(({ matchers }) => matchers.map(compartmentsOf));
  const terrain = terrainOf(tables, model, sets);
  const searches = new Searches(terrain, watches);
  const results = asked.map((claim) => proofOf(searches, claim));
  const explored = searches.of(NOTHING);
  const { running } = searches;
  const prompts = once(() => promptDemand(tables, running.asking));
  const dead = once(() => deadAuthority(terrain, running));
  const idle = once(() => idleWaivers(tables, model, (questions) => isProved(tables, model, questions)));
  return {
    results,
    waived: waivedProofs(model),
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
  const sets = watches.flatMap(({ matchers }) => matchers.map(compartmentsOf));
  const searches = new Searches(terrainOf(tables, model, sets), watches);
  return verdictOn(searches, questions).verdict.kind === "proved";
}

function once<T extends object>(work: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= work();
    return made;
  };
}

function watchOf(question: Question): Watch[] {
  return question.kind === "reach" ? [question.watch] : [];
}

function proofOf(searches: Searches, { questions, ...claim }: Asked): Proof {
  const { verdict, at } = verdictOn(searches, questions);
  return { ...claim, verdict, ...(claim.inherited !== undefined && at && { at }) };
}
