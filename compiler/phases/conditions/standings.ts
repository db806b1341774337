// A condition `from SOURCES` determines how far these sources support a value, its standing: strong, weak, none or
// unknown. This module decides which standings one value can have for several sets of sources at the same time. For
// example, if the standing for `person` is none, the standing for `person, pasted` cannot be strong, because pasted
// text is a weak source.
import { type Standing, serializeSource } from "../../../engine/lib/policy/index.ts";
import type { Source } from "../../../engine/lib/wire/generated/policy.ts";

/** Assumption about the standing of a value (`strong`, `weak`, `none` or `unknown`) with regard to some sources. */
interface AssumedStanding {
  readonly sources: readonly Source[];
  readonly standing: Standing;
}

/** A source that contains the value, and the standing that it gives to the value. */
interface Origin {
  readonly source: Source;
  readonly standing: "strong" | "weak";
}

const RANK = { strong: 2, weak: 1, none: 0, unknown: 0 } as const satisfies Record<Standing, number>;

/** Returns whether this source can give a value the standing `strong`. */
export function canBeStrong(source: Source): boolean {
  switch (source.which) {
    case "person":
    case "page":
    case "atLeast":
      return true;
    case "pasted":
    case "untrusted":
      return false;
    case "field":
      return source.field.isStrong;
  }
}

/** Returns whether this source can give a value the standing `weak`. */
export function canBeWeak(source: Source): boolean {
  return source.which === "atLeast" || !canBeStrong(source);
}

/**
 * Returns whether a value may have all these standings in one conversation. If the result is `false`, this is certain;
 * `true` may be wrong.
 */
export function canHaveStandings(assumed: readonly AssumedStanding[]): boolean {
  return findRanks(assumed) !== undefined;
}

/** Returns the smallest set of sources that gives a value these standings. */
export function pickOrigins(assumed: readonly AssumedStanding[]): readonly Origin[] {
  const ranks = findRanks(assumed);
  const picked = new Map<string, Origin>();
  for (const standing of ["strong", "weak"] as const) {
    for (const { sources } of assumed.filter((one) => one.standing === standing)) {
      const fitting = sources.filter((source) => ranks?.get(serializeSource(source)) === RANK[standing]);
      const [source] = fitting;
      if (source === undefined || fitting.some((one) => picked.has(serializeSource(one)))) continue;
      picked.set(serializeSource(source), { source, standing });
    }
  }
  return [...picked.values()];
}

/**
 * Returns, for each source, the greatest rank (0 for `none` and `unknown`, 1 for `weak`, 2 for `strong`) that the
 * standings allow; `undefined` if the standings contradict each other.
 */
function findRanks(assumed: readonly AssumedStanding[]): ReadonlyMap<string, number> | undefined {
  return TRUSTS.map((trust) => rankSources(assumed, trust)).find((ranks) => ranks !== undefined);
}

/**
 * Assumption about the texts that contain a value. `trusted`: the integrity of at least one text is above the lowest
 * level, so the value is not from `untrusted`. `untrusted`: all texts have the lowest integrity.
 */
type Trust = "trusted" | "untrusted";

const TRUSTS: readonly Trust[] = ["untrusted", "trusted"];

function rankSources(assumed: readonly AssumedStanding[], trust: Trust): ReadonlyMap<string, number> | undefined {
  const ranks = new Map<string, number>();
  for (const { sources, standing } of assumed) {
    for (const source of sources) {
      const key = serializeSource(source);
      ranks.set(key, limitRank(source, Math.min(RANK[standing], ranks.get(key) ?? RANK.strong), trust));
    }
  }
  // If the conversation has lost texts, the standing is unknown for all sources. A value is certainly not from
  // `untrusted` only if a trusted text contains it.
  const isLost = assumed.some(({ standing }) => standing === "unknown");
  const isPossible = assumed.every(({ sources, standing }) => {
    const isExcluded = trust === "trusted" && sources.every(({ which }) => which === "untrusted");
    if (standing === "unknown" && isExcluded) return false;
    if (standing === "none" && isLost && !isExcluded) return false;
    return Math.max(0, ...sources.map((source) => ranks.get(serializeSource(source)) ?? 0)) === RANK[standing];
  });
  return isPossible ? ranks : undefined;
}

/** Returns the greatest rank that a source can give to a value, but at most `rank`. */
function limitRank(source: Source, rank: number, trust: Trust): number {
  const needsTrust =
    source.which === "person" || source.which === "page" || (source.which === "atLeast" && source.atLeast > 0);
  if (source.which === "untrusted" ? trust === "trusted" : needsTrust && trust === "untrusted") return RANK.none;
  if (rank === RANK.strong && canBeStrong(source)) return RANK.strong;
  return rank >= RANK.weak && canBeWeak(source) ? RANK.weak : RANK.none;
}
