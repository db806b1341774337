// The sources of an argument, such as `person`, depend on the texts that the conversation received earlier. The search
// for arguments assumes how far these texts support each value by the sources of a condition: strong, weak, none or
// unknown. Assumptions about the same value and sources must agree.
import {
  evaluateConditions,
  type JsonRecord,
  type Sources,
  type Standing,
  serializeSource,
  type Truth,
} from "../../../../engine/lib/policy/index.ts";
import type { Condition, Source } from "../../../../engine/lib/wire/generated/policy.ts";
import { canBeStrong, canBeWeak, canHaveStandings, pickOrigins } from "../../conditions/index.ts";

/**
 * Assumption about the texts that a conversation received earlier. With regard to `sources`, these texts give `value`
 * the standing `standing`.
 */
export interface Heard {
  readonly value: string | number;
  readonly sources: readonly Source[];
  readonly standing: Standing;
}

/** A truth of a condition, and the assumptions under which the condition has it. */
export interface AssumedAnswer {
  readonly truth: Truth;
  readonly heard: readonly Heard[];
}

/**
 * Returns the truths that a condition with `from` may have for these arguments, each with the assumptions about earlier
 * texts that it needs.
 */
export function listAssumedAnswers(condition: Condition, args: JsonRecord): readonly AssumedAnswer[] {
  const answers = new Map<Truth, AssumedAnswer>();
  for (const standing of listStandings(condition.sources)) {
    const heard: Heard[] = [];
    const judge: Sources["judge"] = (value, sources) => {
      const own = hasWords(value) ? standing : "none";
      heard.push({ value, sources, standing: own });
      return own;
    };
    const truth = evaluateConditions([condition], args, { sources: { judge, trace: () => undefined } });
    if (!answers.has(truth)) answers.set(truth, { truth, heard });
  }
  return [...answers.values()];
}

/**
 * Returns the combinations of truths that conditions may have if two elements of a value have different sources. Each
 * combination has its assumptions. The list is empty unless the conditions with `from` test exactly two different
 * elements.
 */
export function listMixedAnswers(conditions: readonly Condition[], args: JsonRecord): readonly MixedAnswers[] {
  const elements = new Set<string | number>();
  const bySources = new Map<string, readonly Source[]>();
  for (const condition of conditions) {
    if (condition.operator !== "from" || condition.each === "single") continue;
    bySources.set(JSON.stringify(condition.sources.map(serializeSource)), condition.sources);
    const judge: Sources["judge"] = (value) => {
      if (hasWords(value)) elements.add(value);
      return "none";
    };
    evaluateConditions([condition], args, { sources: { judge, trace: () => undefined } });
  }
  const [first, second, ...more] = elements;
  if (first === undefined || second === undefined || more.length > 0) return [];
  const standings = combineStandings([...bySources.values()]);
  return standings
    .flatMap((one) => standings.flatMap((other) => (one === other ? [] : [[one, other] as const])))
    .slice(0, MOST_MIXED)
    .map(([one, other]) => {
      const heard = [
        ...one.map((about) => ({ ...about, value: first })),
        ...other.map((about) => ({ ...about, value: second })),
      ];
      const sources = assumeSources(heard);
      return { truths: conditions.map((condition) => evaluateConditions([condition], args, { sources })), heard };
    });
}

/** Truths in the order of the conditions, and the assumptions about earlier texts under which they apply. */
interface MixedAnswers {
  readonly truths: readonly Truth[];
  readonly heard: readonly Heard[];
}

/** Maximum number of pairs of assumptions that are tried for one value. */
const MOST_MIXED = 256;

/** Returns the standings that one value can have with regard to several sets of sources. */
function combineStandings(sets: readonly (readonly Source[])[]): readonly (readonly Omit<Heard, "value">[])[] {
  let combined: readonly (readonly Omit<Heard, "value">[])[] = [[]];
  for (const sources of sets) {
    combined = combined
      .flatMap((known) => listStandings(sources).map((standing) => [...known, { sources, standing }]))
      .filter(canHaveStandings)
      .slice(0, MOST_MIXED);
  }
  return combined;
}

/**
 * Returns whether a value can have a source. A text without letters and digits has no source, whatever the conversation
 * received.
 */
function hasWords(value: string | number): boolean {
  return /[\p{L}\p{N}]/u.test(String(value));
}

/** Returns the truths that a condition with `from` may have for some value. */
export function listAssumedTruths({ sources }: Condition): readonly Truth[] {
  const truths = { strong: "holds", weak: "holdsWeakly", none: "fails", unknown: "unknown" } as const;
  return listStandings(sources).flatMap((standing) => (standing === "unknown" ? [] : truths[standing]));
}

/**
 * Returns the standings that a value can have with regard to some sources. `none` and `unknown` are always possible.
 */
function listStandings(sources: readonly Source[]): readonly Standing[] {
  const strong = sources.some(canBeStrong) ? ["strong" as const] : [];
  const weak = sources.some(canBeWeak) ? ["weak" as const] : [];
  return [...strong, ...weak, "none", "unknown"];
}

/** Returns all assumptions as one list, or `undefined` if they contradict each other. */
export function joinHeard(parts: readonly (readonly Heard[])[]): readonly Heard[] | undefined {
  const joined = new Map(parts.flat().map((heard) => [`${heard.standing} ${serializeHeard(heard)}`, heard]));
  const all = [...joined.values()];
  return all.length < 2 || groupByValue(all).every(canHaveStandings) ? all : undefined;
}

/**
 * Returns the assumptions with exactly one source for each strong or weak value: for example `person` instead of
 * "`person` or `pasted`".
 */
export function nameOrigins(heard: readonly Heard[]): readonly Heard[] {
  return groupByValue(heard).flatMap((about) => {
    const [{ value } = { value: "" }] = about;
    const origins = pickOrigins(about).map(({ source, standing }): Heard => ({ value, sources: [source], standing }));
    return [...origins, ...about.filter(({ standing }) => standing === "none" || standing === "unknown")];
  });
}

function groupByValue(heard: readonly Heard[]): readonly (readonly Heard[])[] {
  return [...Map.groupBy(heard, ({ value }) => value).values()];
}

/** Returns the sources of a conversation in which exactly these assumptions hold. */
export function assumeSources(heard: readonly Heard[]): Sources {
  const known = new Map(heard.map((one) => [serializeHeard(one), one.standing]));
  return { judge: (value, sources) => known.get(serializeHeard({ value, sources })) ?? "none", trace: () => undefined };
}

function serializeHeard({ value, sources }: Pick<Heard, "value" | "sources">): string {
  return JSON.stringify([value, sources.map(serializeSource)]);
}
