import type { Release as WireRelease } from "../../../engine/lib/wire/generated/policy.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import type { BoundLabel, Lattice, Model, Release, Tool } from "../bind/index.ts";
import { resolveLabel } from "./labels.ts";
import { makeRule, type RuleWords } from "./layers.ts";
import { listExtended, type Place } from "./place.ts";

/** Returns all releases, each once, in the order of their rules. */
export function listReleases(model: Model): Release[] {
  const byRule = new Map(model.releases.map((release) => [releaseRule(release).id, release]));
  return [...byRule].sort(([left], [right]) => compareCodeUnits(left, right)).map(([, release]) => release);
}

/**
 * Returns the releases that hold in a place: releases for every session, for the session of the place, or for a session
 * that it extends. A release of a task holds only in that task.
 */
export function selectReleases(releases: readonly Release[], { session, task }: Place): Release[] {
  const line = listExtended(session);
  return releases.filter(
    (release) =>
      (release.session === undefined || line.includes(release.session)) &&
      (release.task === undefined || release.task === task),
  );
}

export function releaseRule({ task, words, node }: Release): RuleWords {
  return makeRule(task?.id ?? "release", words, node.span);
}

/** Encodes a release. `toolAt` has the index of each tool in the tables. */
export function encodeRelease(
  lattice: Lattice,
  toolAt: ReadonlyMap<Tool, number>,
  release: Release,
  rule: number,
): WireRelease {
  return {
    // `pattern.tools` and the tools in the tables have the same order, so these indexes are in ascending order.
    tools: release.pattern.tools.flatMap((tool) => toolAt.get(tool) ?? []),
    act: release.act,
    from: resolveLabel(release.from, 0),
    to: resolveLabel(release.to, getReachedIntegrity(lattice, release.to)),
    gate: release.by,
    rule,
  };
}

/**
 * Returns the integrity that data has after an endorsement; by default, the integrity of data that a person has
 * reviewed.
 */
function getReachedIntegrity(lattice: Lattice, to: BoundLabel): number {
  return to.integrity ?? Math.max(0, lattice.integrity.indexOf("reviewed"));
}
