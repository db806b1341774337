import { type Label, mayFlow } from "../../../engine/lib/policy/index.ts";
import type { Lattice, Param } from "../../../engine/lib/wire/generated/policy.ts";
import { canAcceptAll } from "./arguments.ts";
import { classifyDirection, type Direction, type Movement } from "./direction.ts";
import { isSameLattice, translateLabel } from "./normalize.ts";

/** A property that is stated by the tables or by the description of a machine. Decisions about tools are not facts. */
export interface Fact {
  /** Place such as `operator.triage`, a tool or a backend; empty for the whole system. */
  readonly place: string;
  /** Key that distinguishes the place from others with the same name. */
  readonly key?: string;
  /** Property of the place, such as `quota of calls per turn`. Place and property together identify the fact. */
  readonly what: string;
  /** Value as text for a person. Facts with equal text are one fact. */
  readonly value: string;
  readonly measure: Measure;
  /** Compares the authority of the place if the fact is missing: more authority, less, or different authority. */
  readonly without: Without;
  /** Index of the line that states the fact, among the rules of its tables. */
  readonly rule?: number;
  /** Declaration that states the fact, if no line does. */
  readonly owner?: Owner;
}

/**
 * `told` is for a property of a thing whose addition or removal another fact reports. So the property is reported only
 * if both sides have the thing and the values differ.
 */
type Without = "more" | "less" | "other" | "told";

/** A fact without its place, which the caller adds. */
export type FactContent = Omit<Fact, "place" | "owner">;

/** A declaration of the page, in which a reason can be given. */
export interface Owner {
  readonly kind: "session" | "service" | "backend" | "principal";
  readonly name: string;
}

/** Defines how two values of a fact are compared. */
export type Measure =
  /** A rank: the value with the higher rank is wider. */
  | { readonly kind: "ranked"; readonly rank: bigint }
  /**
   * A label. With `above`, a label is wider if more data may flow to it. With `below`, it is wider if its data
   * may flow to more places.
   */
  | { readonly kind: "label"; readonly label: Label; readonly lattice: Lattice; readonly wider: "above" | "below" }
  /** A set: more members are wider, and `undefined` means everything. */
  | { readonly kind: "among"; readonly among: ReadonlySet<string> | undefined }
  /** A limit. `isHeld` returns whether the other tables enforce the limit completely, in any session or declaration. */
  | { readonly kind: "held"; readonly isHeld: () => boolean }
  /** A bound: a value is wider if it lacks a requirement that the other side has. */
  | { readonly kind: "bounds"; readonly asks: ReadonlySet<string>; readonly has: ReadonlySet<string> }
  /** Arguments that a tool accepts: more accepted values are wider. */
  | { readonly kind: "takes"; readonly params: readonly Param[] }
  /** Levels, with the lowest first: a change of their order changes the meaning of every label. */
  | { readonly kind: "order"; readonly names: readonly string[] }
  | { readonly kind: "word" };

export const WORD: Measure = { kind: "word" };

export function measureRank(rank: number): Measure {
  return { kind: "ranked", rank: BigInt(rank) };
}

export function measureMembers(members: readonly string[] | undefined): Measure {
  return { kind: "among", among: members && new Set(members) };
}

export function measureLabel(lattice: Lattice, label: Label, wider: "above" | "below"): Measure {
  return { kind: "label", label, lattice, wider };
}

/** A fact whose value changed. */
export interface FactChange {
  readonly direction: Direction;
  /** Whether the change certainly or possibly gives more authority. */
  readonly widens: boolean;
  readonly what: string;
  /** Value before; `undefined` if the fact was absent. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Index of the line among the rules of the new tables. */
  readonly rule?: number;
  /** Owner of the first place. */
  readonly owner?: Owner;
  /** Owners of all places without duplicates. One owner may give a reason that another owner does not give. */
  readonly owners: readonly Owner[];
  /** Places with this change, in the order of the facts. */
  readonly places: readonly string[];
}

/**
 * Returns the changes in the order of the new facts, followed by facts that were removed. Equal changes in several
 * places are merged into one.
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
    const key = JSON.stringify([what, was?.value, is?.value, rule, direction, widens]);
    const known = groups.get(key) ?? {
      direction,
      widens,
      what,
      before: was?.value,
      after: is?.value,
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
 * Indexes facts by name. Artefacts of unknown origin may contain two facts with one name. The second such fact of one
 * side is compared with the second of the other side.
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

function isLost(measure: Measure | undefined): boolean {
  return measure?.kind === "held" && !measure.isHeld();
}

/** Returns whether the names that both lists have are in the same order. */
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

/** Compares two labels. If one label has no equivalent in the other lattice, their order is unknown. */
function compareLabels(was: LabelMeasure, is: LabelMeasure): FactComparison {
  const old = isSameLattice(was.lattice, is.lattice) ? was.label : translateLabel(was.label, was.lattice, is.lattice);
  if (old === undefined) return { direction: "moved", widens: true };
  const [low, high] = is.wider === "above" ? [old, is.label] : [is.label, old];
  // If the old label may flow to the new label, the change loses nothing. If the new label may flow to the old label,
  // it gains nothing.
  return makeComparison({ widens: !mayFlow(high, low), narrows: !mayFlow(low, high) });
}
