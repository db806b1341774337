// Lists the classes of data (sources) whose flows are computed: data at or above a level of confidentiality, data at or
// below a level of integrity, data in some compartments, and any data.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Model } from "../bind/index.ts";
import { groupCompartments } from "./compartments.ts";
import { ANY_INTEGRITY, type Matcher } from "./matcher.ts";
import { collectCompartmentSets } from "./state-space.ts";

/** A class of data that a conversation may have read. */
export type Source =
  | { readonly kind: "any"; readonly matcher: undefined }
  /** Data at or above this level of confidentiality. */
  | { readonly kind: "secrecy"; readonly level: number; readonly matcher: Matcher }
  /** Data at or below this level of integrity. */
  | { readonly kind: "trust"; readonly level: number; readonly matcher: Matcher }
  /**
   * Data in one of these compartments. These compartments count as one, because no label of the page distinguishes
   * them.
   */
  | { readonly kind: "compartments"; readonly set: bigint; readonly matcher: Matcher };

/** The label bounds of the data that reaches a sink: levels by number, compartments as bits. */
export interface SourceSummary {
  /** Number of the most secret level. */
  readonly confidentiality: number;
  /** Number of the least trusted level. */
  readonly integrity: number;
  readonly compartments: bigint;
}

/**
 * Returns the sources of a page. The first source is `any`, which contains data with any label. Another source is left
 * out if it would contain the data of every label or of none.
 */
export function collectSources(tables: IndexedTables, model: Model): readonly Source[] {
  const { confidentiality, integrity, compartments } = tables.lattice;
  const sets = collectCompartmentSets(tables, model);
  const { members } = groupCompartments(compartments.length, sets);
  return [
    { kind: "any", matcher: undefined },
    ...confidentiality.keys().drop(1).map(createSecrecySource),
    ...integrity
      .keys()
      .take(integrity.length - 1)
      .map(createTrustSource),
    ...members
      .values()
      .filter((set) => sets.some((one) => (one & set) !== 0n))
      .map(createCompartmentSource),
  ];
}

const ANY_LABEL = { kind: "above", confidentiality: 0, compartments: 0n, integrityAtMost: ANY_INTEGRITY } as const;

function createSecrecySource(level: number): Source {
  return { kind: "secrecy", level, matcher: { ...ANY_LABEL, confidentiality: level } };
}

function createTrustSource(level: number): Source {
  return { kind: "trust", level, matcher: { ...ANY_LABEL, integrityAtMost: level } };
}

function createCompartmentSource(set: bigint): Source {
  return { kind: "compartments", set, matcher: { ...ANY_LABEL, compartments: set } };
}

/**
 * Returns a function that summarises a set of sources, in which bit i stands for source i. The function caches its
 * results.
 */
export function createSourceSummarizer(
  { lattice }: IndexedTables,
  sources: readonly Source[],
): (set: bigint) => SourceSummary {
  const known = new Map<bigint, SourceSummary>();
  return (set) => {
    const before = known.get(set);
    if (before !== undefined) return before;
    const seen = sources.filter((_, index) => ((set >> BigInt(index)) & 1n) === 1n);
    const made = {
      confidentiality: Math.max(0, ...seen.map((one) => (one.kind === "secrecy" ? one.level : 0))),
      integrity: Math.min(
        lattice.integrity.length - 1,
        ...seen.map((one) => (one.kind === "trust" ? one.level : ANY_INTEGRITY)),
      ),
      compartments: seen.reduce((all, one) => (one.kind === "compartments" ? all | one.set : all), 0n),
    };
    known.set(set, made);
    return made;
  };
}
