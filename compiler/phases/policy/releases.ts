import type { Release as WireRelease } from "../../../engine/lib/wire/generated/policy.ts";
import { byCodeUnits } from "../../../lang/text/index.ts";
import type { BoundLabel, Lattice, Model, Release, Session, Tool } from "../bind/index.ts";
import { labelOf } from "./labels.ts";
import { type RuleWords, ruleOf } from "./layers.ts";
import { extendedBy } from "./place.ts";

/** All releases, each once, in the order of their rules. */
export function releasesOf(model: Model): Release[] {
  const byWords = new Map(model.releases.map((release) => [release.words, release]));
  return [...byWords.values()].sort((left, right) => byCodeUnits(left.words, right.words));
}

/** Those that hold in a session: for all, for itself, or for one that it extends. */
export function releasesIn(releases: readonly Release[], session: Session): Release[] {
  const line = extendedBy(session);
  return releases.filter(({ session: whose }) => whose === undefined || line.includes(whose));
}

export function releaseRule({ words, node }: Release): RuleWords {
  return ruleOf("release", words, node.span);
}

/** `toolAt`: where each tool stands in the tables. */
export function wireRelease(
  lattice: Lattice,
  toolAt: ReadonlyMap<Tool, number>,
  release: Release,
  rule: number,
): WireRelease {
  return {
    // Tools of a pattern are in the model's order, and so are the tables.
    tools: release.pattern.tools.flatMap((tool) => toolAt.get(tool) ?? []),
    act: release.act,
    from: labelOf(release.from, 0),
    to: labelOf(release.to, integrityReached(lattice, release.to)),
    gate: release.by,
    rule,
  };
}

/** What is endorsed without a word of how far is trusted no further than what a person has looked at. */
function integrityReached(lattice: Lattice, to: BoundLabel): number {
  return to.integrity ?? Math.max(0, lattice.integrity.indexOf("reviewed"));
}
