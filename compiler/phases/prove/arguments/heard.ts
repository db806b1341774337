// The source of an argument depends on what the conversation has heard before. The search assumes how each value relates to the
// sources of a condition: strong, weak, none or unknown. Assumptions about the same value and sources must agree.
import {
  evaluateConditions,
  type JsonRecord,
  type Sources,
  type Standing,
  serializeSource,
  type Truth,
} from "../../../../engine/lib/policy/index.ts";
import type { Condition, Source } from "../../../../engine/lib/wire/generated/policy.ts";

/**
 * A value that the conversation is assumed to have heard, with its sources and its relation to them (strong, weak, none
 * or unknown).
 */
export interface Heard {
  readonly value: string | number;
  readonly sources: readonly Source[];
  readonly standing: Standing;
}

/** An answer to a condition, and the assumptions that give it. */
export interface AssumedAnswer {
  readonly truth: Truth;
  readonly heard: readonly Heard[];
}

/** Returns the answers that a condition with `from` may have for these arguments, by what was heard before. */
export function listAssumedAnswers(condition: Condition, args: JsonRecord): readonly AssumedAnswer[] {
  const answers = new Map<Truth, AssumedAnswer>();
  for (const standing of listStandings(condition.sources)) {
    const heard: Heard[] = [];
    const judge: Sources["judge"] = (value, sources) => {
      // A text without letters and digits has no source, whatever was heard.
      const own = /[\p{L}\p{N}]/u.test(String(value)) ? standing : "none";
      heard.push({ value, sources, standing: own });
      return own;
    };
    const truth = evaluateConditions([condition], args, { sources: { judge, trace: () => undefined } });
    if (!answers.has(truth)) answers.set(truth, { truth, heard });
  }
  return [...answers.values()];
}

/** Returns the answers that a condition with `from` may have for some value. */
export function listAssumedTruths({ sources }: Condition): readonly Truth[] {
  const truths = { strong: "holds", weak: "holdsWeakly", none: "fails", unknown: "unknown" } as const;
  return listStandings(sources).flatMap((standing) => (standing === "unknown" ? [] : truths[standing]));
}

/**
 * Returns the possible relations of a value to the strongest of some sources. Both `none` and `unknown` are always
 * possible.
 */
function listStandings(sources: readonly Source[]): readonly Standing[] {
  const strong = sources.some((source) => isStrong(source)) ? ["strong" as const] : [];
  const weak = sources.some((source) => isWeak(source)) ? ["weak" as const] : [];
  return [...strong, ...weak, "none", "unknown"];
}

function isStrong(source: Source): boolean {
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

function isWeak(source: Source): boolean {
  return source.which === "atLeast" || !isStrong(source);
}

/** Returns all assumptions, or `undefined` if two of them contradict each other. */
export function joinHeard(parts: readonly (readonly Heard[])[]): readonly Heard[] | undefined {
  const joined = new Map(parts.flat().map((heard) => [serializeHeard(heard), heard]));
  const all = [...joined.values()];
  const isContradicted = parts.flat().some((one) => all.some((other) => contradicts(one, other)));
  return isContradicted ? undefined : all;
}

const RANK = { strong: 2, weak: 1, none: 0, unknown: 0 } as const;

/** Returns whether two assumptions contradict each other: with more sources, the relation cannot become weaker. */
function contradicts(one: Heard, other: Heard): boolean {
  if (one.value !== other.value || one.standing === other.standing) return false;
  const has = new Set(other.sources.map(serializeSource));
  const isWithin = one.sources.every((source) => has.has(serializeSource(source)));
  const isSame = isWithin && one.sources.length === other.sources.length;
  return isSame || (isWithin && RANK[one.standing] > RANK[other.standing]);
}

/** Returns the sources of a conversation that has heard exactly these values. */
export function assumeSources(heard: readonly Heard[]): Sources {
  const known = new Map(heard.map((one) => [serializeHeard(one), one.standing]));
  return { judge: (value, sources) => known.get(serializeHeard({ value, sources })) ?? "none", trace: () => undefined };
}

function serializeHeard({ value, sources }: Pick<Heard, "value" | "sources">): string {
  return JSON.stringify([value, sources.map(serializeSource)]);
}
