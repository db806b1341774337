// Compares flows. A flow that became possible or impossible is a changed fact about a row and a sink, with example
// conversations.

import { listCompartments } from "../../../engine/lib/policy/index.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { Lattice } from "../../../engine/lib/wire/generated/policy.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import type { Flows, Inflow, Sink, Source, SourceSummary, Witness } from "../../phases/prove/index.ts";
import type { Direction } from "./direction.ts";
import { diffFacts, type Fact, type FactChange, type FactContent, measureMembers } from "./facts.ts";
import { matchRows, placeKey } from "./places.ts";

/** A flow from a row to a sink that became possible or impossible. */
export interface FlowChange extends FactChange {
  /** Examples of the flows that changed, at the first of the places that the change names. */
  readonly flows: readonly WitnessedFlow[];
}

/** A flow that is possible on only one of the two pages, with the shortest conversation in which it happens. */
export interface WitnessedFlow {
  readonly possible: "now" | "before";
  /** Text that identifies the data that flows: a level (`secret`), its compartments (`finance, hr`), or `anything`. */
  readonly source: string;
  /** Receiver of the data, such as `backend frontier`. */
  readonly sink: string;
  /** The conversation, or the reason why there is none: the flow cannot be excluded, but no conversation shows it. */
  readonly witness: Result<Witness>;
}

/** Returns the changed flows in the order of the newer page's rows and sinks, then the removed flows. */
export function diffFlows(before: Flows, after: Flows): readonly FlowChange[] {
  const pairs = findChangedPairs(before, after);
  const collectSideFacts = (side: Side) => [...pairs.values()].flatMap((pair) => collectFlowFacts(side, pair));
  return diffFacts(
    collectSideFacts({ flows: before, at: "before" }),
    collectSideFacts({ flows: after, at: "after" }),
  ).map((change) => {
    const pair = pairs.get(change.places[0] ?? "");
    return { ...change, flows: pair === undefined ? [] : collectWitnesses(before, after, change, pair) };
  });
}

interface Side {
  readonly flows: Flows;
  readonly at: "before" | "after";
}

/** A row and a sink, with the flow between them on each of the two pages. */
interface Pair {
  readonly place: string;
  readonly session: string;
  readonly before: Inflow | undefined;
  readonly after: Inflow | undefined;
}

/**
 * Returns the flows that differ, by row and sink. Most flows of two pages are equal, so the text of equal flows is
 * computed only once.
 */
function findChangedPairs(before: Flows, after: Flows): ReadonlyMap<string, Pair> {
  const [old, now] = [indexInflows(before), indexInflows(after)];
  const [oldText, nowText] = [
    createInflowFormatter(before.tables.lattice),
    createInflowFormatter(after.tables.lattice),
  ];
  const pairs = new Map<string, Pair>();
  for (const { place: row } of matchRows(before.tables, after.tables)) {
    const [was, is] = [old.get(placeKey(row)) ?? NO_INFLOWS, now.get(placeKey(row)) ?? NO_INFLOWS];
    for (const sink of new Set([...is.keys(), ...was.keys()])) {
      const pair = { before: was.get(sink), after: is.get(sink) };
      if (oldText(pair.before?.summary) === nowText(pair.after?.summary)) continue;
      const place = `${formatRowPath(row)} → ${sink}`;
      pairs.set(place, { place, session: row.session, ...pair });
    }
  }
  return pairs;
}

const NO_INFLOWS: ReadonlyMap<string, Inflow> = new Map();

/** Returns the flows of a page by row, then by the sink that they reach. */
function indexInflows({ tables, inflows }: Flows): ReadonlyMap<string, ReadonlyMap<string, Inflow>> {
  const rows = tables.rows.map(() => new Map<string, Inflow>());
  for (const inflow of inflows) rows[inflow.row]?.set(formatSink(inflow.sink), inflow);
  return new Map(tables.rows.map((row, index) => [placeKey(row), rows[index] ?? NO_INFLOWS]));
}

function formatSink({ kind, name }: Sink): string {
  return `${kind} ${name}`;
}

function createInflowFormatter(lattice: Lattice): (summary: SourceSummary | undefined) => string {
  const known = new Map<SourceSummary, string>();
  return (summary) => {
    if (summary === undefined) return "";
    const text = known.get(summary) ?? ASPECTS.map(({ derive }) => derive(summary, lattice)?.value ?? "").join("; ");
    known.set(summary, text);
    return text;
  };
}

interface Aspect {
  /**
   * Returns the fact about this property of the data, such as its highest secrecy; `undefined` if the data has no
   * compartments.
   */
  readonly derive: (summary: SourceSummary, lattice: Lattice) => FactContent | undefined;
  /**
   * Returns the sources of the data that give it this property, such as its highest secrecy. Omits compartments whose
   * names are all in `other`: they reach the sink on the other page too.
   */
  readonly sources: (flows: Flows, summary: SourceSummary, other: readonly string[]) => readonly Source[];
}

const ASPECTS: readonly Aspect[] = [
  {
    derive: ({ confidentiality }, lattice) => ({
      what: "most secret that reaches it",
      value: lattice.confidentiality[confidentiality] ?? "",
      measure: { kind: "label", label: { ...PLAIN, confidentiality }, lattice, wider: "above" },
      without: "less",
    }),
    sources: ({ sources }, { confidentiality }) =>
      sources.filter((one) => (one.kind === "secrecy" ? one.level : isAny(one) ? 0 : -1) === confidentiality),
  },
  {
    derive: ({ integrity }, lattice) => ({
      what: "least trusted that reaches it",
      value: lattice.integrity[integrity] ?? "",
      measure: { kind: "label", label: { ...PLAIN, integrity }, lattice, wider: "above" },
      without: "less",
    }),
    sources: ({ sources, tables: { lattice } }, { integrity }) => {
      const highest = lattice.integrity.length - 1;
      return sources.filter((one) => (one.kind === "trust" ? one.level : isAny(one) ? highest : -1) === integrity);
    },
  },
  {
    derive: ({ compartments }, lattice) => {
      const names = listCompartments(lattice, compartments);
      if (names.length === 0) return undefined;
      return {
        what: "compartments that reach it",
        value: names.join(", "),
        measure: measureMembers(names),
        without: "less",
      };
    },
    sources: ({ sources, tables: { lattice } }, { compartments }, other) =>
      sources.filter((one) => {
        if (one.kind !== "compartments" || (one.set & compartments) === 0n) return false;
        return listCompartments(lattice, one.set).some((name) => !other.includes(name));
      }),
  },
];

const PLAIN = { confidentiality: 0, integrity: 0, compartments: 0n };

function isAny({ kind }: Source): boolean {
  return kind === "any";
}

function collectFlowFacts({ flows, at }: Side, pair: Pair): readonly Fact[] {
  const inflow = pair[at];
  if (inflow === undefined) return [];
  const of = { place: pair.place, owner: { kind: "session", name: pair.session } } as const;
  return ASPECTS.flatMap(({ derive }): Fact[] => {
    const said = derive(inflow.summary, flows.tables.lattice);
    return said === undefined ? [] : [{ ...of, ...said }];
  });
}

/**
 * Returns example conversations: of the newer page for widened flows, and of the older page for narrowed flows. If
 * neither page is stricter (`moved`), returns conversations of both.
 */
function collectWitnesses(
  before: Flows,
  after: Flows,
  { direction, what }: FactChange,
  pair: Pair,
): readonly WitnessedFlow[] {
  return [
    ...(hasDirection(direction, "narrowed")
      ? collectSideWitnesses("before", before, {
          what,
          inflow: pair.before,
          other: getCompartmentNames(after, pair.after),
        })
      : []),
    ...(hasDirection(direction, "widened")
      ? collectSideWitnesses("now", after, {
          what,
          inflow: pair.after,
          other: getCompartmentNames(before, pair.before),
        })
      : []),
  ];
}

function hasDirection(direction: Direction, wanted: Direction): boolean {
  return direction === wanted || direction === "moved";
}

function getCompartmentNames({ tables }: Flows, inflow: Inflow | undefined): readonly string[] {
  return listCompartments(tables.lattice, inflow?.summary.compartments ?? 0n);
}

/**
 * One property (`what`) of the data that flows to a sink on one page, such as its highest secrecy. `other` has the
 * names of the compartments that reach the sink on the other page.
 */
interface InflowAspect {
  readonly what: string;
  readonly inflow: Inflow | undefined;
  readonly other: readonly string[];
}

function collectSideWitnesses(
  possible: WitnessedFlow["possible"],
  flows: Flows,
  { what, inflow, other }: InflowAspect,
): readonly WitnessedFlow[] {
  if (inflow === undefined) return [];
  const { row, sink, summary } = inflow;
  const { lattice } = flows.tables;
  const aspect = ASPECTS.find(({ derive }) => derive(summary, lattice)?.what === what);
  const sources = aspect?.sources(flows, summary, other) ?? [];
  return sources.map((source) => ({
    possible,
    source: formatSource(source, lattice),
    sink: formatSink(sink),
    witness: flows.findWitness(row, sink, source),
  }));
}

function formatSource(source: Source, lattice: Lattice): string {
  switch (source.kind) {
    case "any":
      return "anything";
    case "secrecy":
      return lattice.confidentiality[source.level] ?? "";
    case "trust":
      return lattice.integrity[source.level] ?? "";
    case "compartments":
      return listCompartments(lattice, source.set).join(", ");
  }
}
