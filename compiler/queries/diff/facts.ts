import { isUnder, type Label, mayFlow, parsePathSegments } from "../../../engine/lib/policy/index.ts";
import type { Lattice, Param } from "../../../engine/lib/wire/generated/policy.ts";
import { canAcceptAll } from "./arguments.ts";
import { classifyDirection, type Direction, type Movement } from "./direction.ts";
import { isSameLattice, translateLabel } from "./normalize.ts";

/**
 * One property of one place, such as a limit of a session. The tables or the description of the machine state this
 * property. Decisions in cells are not facts.
 */
export interface Fact {
  /** A row such as `operator.triage`, a tool, a backend, …; empty for the system. */
  readonly place: string;
  /** Key that distinguishes the place from others of the same name. */
  readonly key?: string;
  /** Aspect of the place, such as `quota of calls per turn`. Place and aspect together identify the fact. */
  readonly what: string;
  /** Value as text for a person. If the text is equal on both sides, the fact did not change. */
  readonly value: string;
  readonly measure: Measure;
  /** Whether a place has more, less, or other authority if this fact is absent. */
  readonly without: Without;
  /** Properties of a new thing, such as its limits. They are reported together with the thing, and are not compared. */
  readonly details?: readonly string[];
  /** Sentences that explain to a reader why a change of the fact matters. */
  readonly notes?: readonly string[];
  /** Index into the rules of the fact's tables: the line that states the fact. */
  readonly rule?: number;
  /** Declaration that states the fact, if no line states it. */
  readonly owner?: Owner;
}

/** `told`: another fact reports whether the place exists, so this fact is reported only if its value differs. */
type Without = "more" | "less" | "other" | "told";

/** A fact without the name of its place. The caller adds the name. */
export type FactContent = Omit<Fact, "place" | "owner">;

/** A declaration of the page. */
export interface Owner {
  readonly kind: "session" | "service" | "backend" | "principal";
  readonly name: string;
}

/** Determines which of two values of a fact is wider. */
export type Measure =
  /** A rank. A higher rank is wider. */
  | { readonly kind: "ranked"; readonly rank: bigint }
  /**
   * A label. A label is wider if more data may flow to its place (`above`), or if data with this label may flow to more
   * places (`below`).
   */
  | { readonly kind: "label"; readonly label: Label; readonly lattice: Lattice; readonly wider: "above" | "below" }
  /** A set. A set with more members is wider; `undefined` is the set of everything. */
  | { readonly kind: "among"; readonly among: ReadonlySet<string> | undefined }
  /** Addresses or folders. More regions are wider, and so are larger regions; `undefined` means everything. */
  | { readonly kind: "regions"; readonly regions: readonly Region[] | undefined }
  /** A limit. `isHeld` returns whether the quotas of the other side enforce this limit completely. */
  | { readonly kind: "held"; readonly isHeld: () => boolean }
  /**
   * Restrictions, such as the categories by which quotas count a call. `asks` contains those with an effect on this
   * side: a quota counts the category. `has` contains these and those without an effect: no quota counts the category.
   * A side is wider if its `has` lacks a member of the `asks` of the other side.
   */
  | { readonly kind: "bounds"; readonly asks: ReadonlySet<string>; readonly has: ReadonlySet<string> }
  /** Arguments that a tool accepts. A tool that accepts more is wider. */
  | { readonly kind: "takes"; readonly params: readonly Param[] }
  /** Levels, the lowest first. A change of their order changes the meaning of every label. */
  | { readonly kind: "order"; readonly names: readonly string[] }
  | { readonly kind: "word" };

/**
 * A path and everything below it. `root` is the server with its port, such as `https://a.example:443`, or empty for a
 * folder.
 */
interface Region {
  readonly root: string;
  readonly segments: readonly string[];
}

export const WORD: Measure = { kind: "word" };

export function measureRank(rank: number): Measure {
  return { kind: "ranked", rank: BigInt(rank) };
}

export function measureMembers(members: readonly string[] | undefined): Measure {
  return { kind: "among", among: members && new Set(members) };
}

/**
 * Returns a set of paths in the form in which it is compared with another set. The paths may be on servers. A path
 * includes everything below it; `undefined` is everything.
 */
export function measureRegions(
  paths: readonly { readonly root: string; readonly path: string }[] | undefined,
): Measure {
  const regions = paths?.map(({ root, path }): Region => {
    const segments = parsePathSegments(path);
    // A text that is not a path is a region that includes no other text.
    return segments === undefined ? { root: `${root} ${path}`, segments: [] } : { root, segments };
  });
  return { kind: "regions", regions };
}

export function measureLabel(lattice: Lattice, label: Label, wider: "above" | "below"): Measure {
  return { kind: "label", label, lattice, wider };
}

/** A fact whose value changed. */
export interface FactChange {
  readonly direction: Direction;
  /** Whether the new value gives more authority, or possibly more. */
  readonly widens: boolean;
  readonly what: string;
  /** Value before; `undefined` if the fact was absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Properties of a new thing: `clearance: secret/untrusted`. Empty unless the change adds a thing. */
  readonly details: readonly string[];
  /** Sentences that explain the change to a reader. */
  readonly notes?: readonly string[];
  /** Line that states the new value, as an index into the rules of the new tables. */
  readonly rule?: number;
  /** Declaration, such as a session, that states the fact at the first place in `places`. */
  readonly owner?: Owner;
  /** Declarations that state the fact at `places`, without duplicates. The search for renames examines all of them. */
  readonly owners: readonly Owner[];
  /** Places with this change, in the order of their facts. */
  readonly places: readonly string[];
}

/**
 * Returns the changes in the order of the new facts, then the removed facts. Equal changes in several places become one
 * change.
 */
export function diffFacts(before: readonly Fact[], after: readonly Fact[]): readonly FactChange[] {
  const [old, now] = [indexFacts(before), indexFacts(after)];
  const pairs: [Fact | undefined, Fact | undefined][] = [
    ...[...now].map(([key, fact]): [Fact | undefined, Fact] => [old.get(key), fact]),
    ...[...old].flatMap(([key, fact]): [Fact, undefined][] => (now.has(key) ? [] : [[fact, undefined]])),
  ];
  const groups = new Map<string, FactChange & { readonly places: string[]; readonly owners: Owner[] }>();
  for (const [was, is] of pairs) {
    const fact = is ?? was;
    if (fact === undefined || was?.value === is?.value) continue;
    if ((was === undefined || is === undefined) && fact.without === "told") continue;
    const { direction, widens } = compareFacts(was, is);
    const { what, rule, owner } = fact;
    const details = was === undefined ? (is?.details ?? []) : [];
    const key = JSON.stringify([what, was?.value, is?.value, rule, direction, widens, details]);
    const known = groups.get(key) ?? {
      direction,
      widens,
      what,
      before: was?.value,
      after: is?.value,
      details,
      notes: [...(was?.notes ?? []), ...(is?.notes ?? [])],
      ...(is === undefined || rule === undefined ? {} : { rule }),
      ...(owner === undefined ? {} : { owner }),
      owners: [],
      places: [],
    };
    known.places.push(fact.place);
    if (owner !== undefined && !known.owners.some(({ kind, name }) => kind === owner.kind && name === owner.name))
      known.owners.push(owner);
    groups.set(key, known);
  }
  return [...groups.values()];
}

/**
 * Indexes facts by name. Artefacts of other programs may give two things the same name. Then the second thing with this
 * name is compared with the second thing with this name on the other side.
 */
function indexFacts(facts: readonly Fact[]): ReadonlyMap<string, Fact> {
  const counts = new Map<string, number>();
  return new Map(
    facts.map((fact) => {
      const name = JSON.stringify([fact.key ?? fact.place, fact.what]);
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      return [`${name} ${count}`, fact];
    }),
  );
}

interface FactComparison {
  readonly direction: Direction;
  readonly widens: boolean;
}

function compareFacts(was: Fact | undefined, is: Fact | undefined): FactComparison {
  const [old, now] = [was?.measure, is?.measure];
  if (old?.kind === "held" || now?.kind === "held")
    return makeComparison({ widens: isLost(old), narrows: isLost(now) });
  if (was === undefined || old === undefined) return is === undefined ? OTHER : compareAddedFact(is.without);
  if (is === undefined || now === undefined) return compareRemovedFact(was.without);
  if (old.kind === "ranked" && now.kind === "ranked")
    return makeComparison({ widens: now.rank > old.rank, narrows: now.rank < old.rank });
  if (old.kind === "label" && now.kind === "label") return compareLabels(old, now);
  if (old.kind === "among" && now.kind === "among")
    return makeComparison({ widens: !isWithin(now.among, old.among), narrows: !isWithin(old.among, now.among) });
  if (old.kind === "regions" && now.kind === "regions")
    return makeComparison({
      widens: !areRegionsWithin(now.regions, old.regions),
      narrows: !areRegionsWithin(old.regions, now.regions),
    });
  if (old.kind === "bounds" && now.kind === "bounds")
    return makeComparison({ widens: !old.asks.isSubsetOf(now.has), narrows: !now.asks.isSubsetOf(old.has) });
  if (old.kind === "takes" && now.kind === "takes")
    return makeComparison({
      widens: !canAcceptAll(old.params, now.params),
      narrows: !canAcceptAll(now.params, old.params),
    });
  if (old.kind === "order" && now.kind === "order")
    return { direction: "moved", widens: !isInOrder(old.names, now.names) };
  // Values of different kinds cannot be ordered.
  return { direction: "moved", widens: old.kind !== now.kind };
}

function isWithin(one: ReadonlySet<string> | undefined, other: ReadonlySet<string> | undefined): boolean {
  return other === undefined || one?.isSubsetOf(other) === true;
}

type Regions = readonly Region[] | undefined;

function areRegionsWithin(some: Regions, others: Regions): boolean {
  if (others === undefined) return true;
  return (
    some?.every(({ root, segments }) =>
      others.some((other) => root === other.root && isUnder(segments, other.segments)),
    ) === true
  );
}

function isLost(measure: Measure | undefined): boolean {
  return measure?.kind === "held" && !measure.isHeld();
}

/** Returns whether the names that are in both lists are in the same order. */
function isInOrder(one: readonly string[], other: readonly string[]): boolean {
  const shared = other.filter((name) => one.includes(name));
  return one.filter((name) => other.includes(name)).every((name, index) => name === shared[index]);
}

const OTHER: FactComparison = { direction: "moved", widens: false };

function compareAddedFact(without: Without): FactComparison {
  return without === "other" || without === "told"
    ? OTHER
    : makeComparison({ widens: without === "less", narrows: without === "more" });
}

function compareRemovedFact(without: Without): FactComparison {
  return without === "other" || without === "told"
    ? OTHER
    : makeComparison({ widens: without === "more", narrows: without === "less" });
}

function makeComparison({ widens, narrows }: Movement): FactComparison {
  return { direction: classifyDirection({ widens, narrows }), widens };
}

type LabelMeasure = Extract<Measure, { kind: "label" }>;

/**
 * Compares two labels. If a level or compartment of the old label is missing in the new lattice, the order of the
 * labels is unknown.
 */
function compareLabels(was: LabelMeasure, is: LabelMeasure): FactComparison {
  const old = isSameLattice(was.lattice, is.lattice) ? was.label : translateLabel(was.label, was.lattice, is.lattice);
  if (old === undefined) return { direction: "moved", widens: true };
  const [low, high] = is.wider === "above" ? [old, is.label] : [is.label, old];
  // If data may flow from the old to the new label, nothing is narrowed. If it may flow from the new to the old label,
  // nothing is widened.
  return makeComparison({ widens: !mayFlow(high, low), narrows: !mayFlow(low, high) });
}
