// The sources of an argument depend on the texts that the conversation received earlier. The search assumes a standing
// of each value with regard to the sources of a condition: strong, weak, none or unknown. Assumptions about the same
// value and sources must agree.
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
 * Assumption that the texts which a conversation received earlier give a value this standing (strong, weak, none or
 * unknown) with regard to these sources.
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
      // A text without letters and digits has no source, whatever texts the conversation received.
      const own = /[\p{L}\p{N}]/u.test(String(value)) ? standing : "none";
      heard.push({ value, sources, standing: own });
      return own;
    };
    const truth = evaluateConditions([condition], args, { sources: { judge, trace: () => undefined } });
    if (!answers.has(truth)) answers.set(truth, { truth, heard });
  }
  return [...answers.values()];
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

/** Returns the sources of a conversation for which exactly these assumptions hold. */
export function assumeSources(heard: readonly Heard[]): Sources {
  const known = new Map(heard.map((one) => [serializeHeard(one), one.standing]));
  return { judge: (value, sources) => known.get(serializeHeard({ value, sources })) ?? "none", trace: () => undefined };
}

function serializeHeard({ value, sources }: Pick<Heard, "value" | "sources">): string {
  return JSON.stringify([value, sources.map(serializeSource)]);
}
