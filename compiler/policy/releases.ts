import type { Release as WireRelease } from "../../engine/wire/generated/policy.ts";
import { byCodeUnits } from "../../lang/text/index.ts";
import type { BoundLabel, Lattice, Model, Release, Session } from "../bind/index.ts";
import { labelOf } from "./labels.ts";
import { type RuleWords, ruleOf } from "./layers.ts";
import { extendedBy } from "./place.ts";

/** All releases, each once, in the order of their rules. */
export function releasesOf(model: Model): Release[] {
  const byWords = new Map(model.releases.map((release) => [release.words, release]));
  return [...byWords.values()].sort((left, right) => byCodeUnits(left.words, right.words));
}

/** Those that hold in a session: for all, for itself, or for one that it extends. */
export function releasesIn(model: Model, session: Session): Release[] {
  const line = extendedBy(session);
  return releasesOf(model).filter(({ session: whose }) => whose === undefined || line.includes(whose));
}

export function releaseRule({ words, node }: Release): RuleWords {
  return ruleOf("release", words, node.span);
}

export function wireRelease(model: Model, release: Release, rule: number): WireRelease {
  const at = new Map(model.tools.map((tool, index) => [tool, index]));
  return {
    tools: release.pattern.tools.flatMap((tool) => at.get(tool) ?? []).sort((left, right) => left - right),
    act: release.act,
    from: labelOf(release.from, 0),
    to: labelOf(release.to, integrityReached(model.lattice, release.to)),
    gate: release.by,
    rule,
  };
}

/** What is endorsed without a word of how far is trusted no further than what a person has looked at. */
function integrityReached(lattice: Lattice, to: BoundLabel): number {
  return to.integrity ?? Math.max(0, lattice.integrity.indexOf("reviewed"));
}
