import { FIRST_DECISION, type IndexedTables } from "../../engine/policy/index.ts";
import type { Decision, LabelRange, Row } from "../../engine/wire/generated/policy.ts";
import type { Model } from "../bind/index.ts";
import { rangeOfService } from "../policy/index.ts";
import { argumentsFor } from "./arguments.ts";
import { groupsOf, writtenSets } from "./compartments.ts";
import { type Kind, type Kinds, kindsOf, numbering } from "./kinds.ts";
import { type LabelId, Labels } from "./labels.ts";
import { GATES, type Gates, gateBit, NO_GATE } from "./modes.ts";

// What all searches walk on: rows, what stands open in each of them, and the services that keep what goes in.

export interface Terrain {
  readonly tables: IndexedTables;
  readonly labels: Labels;
  readonly kinds: Kinds;
  readonly stores: readonly Store[];
  /** One for each row of the tables. */
  readonly grounds: readonly Ground[];
}

/** What the services that one stands for may hold. */
export interface Store {
  readonly service: string;
  readonly low: LabelId;
  readonly high: LabelId;
  readonly exchanges: readonly number[];
}

export interface Ground {
  readonly row: Row;
  readonly index: number;
  /** A conversation may begin here. */
  readonly begins: boolean;
  readonly starts: LabelId;
  readonly clearance: LabelId;
  /** Rows of later phases. */
  readonly later: readonly number[];
  /** Indexes into the tables' ingresses. */
  readonly ingresses: readonly number[];
  /** Rows of the workers that may be started here. */
  readonly workers: readonly number[];
  /** Of a worker's row: that of the conversation which starts it. */
  readonly parent: number | undefined;
  readonly doors: readonly Door[];
  /** By kind of tool: index into `doors`; -1 where it never runs. */
  readonly doorOf: readonly number[];
}

/** Tools of a row that run under the same conditions. */
export interface Door {
  /** One of them. */
  readonly tool: number;
  readonly list: Decision;
  /** Gates that the clauses give for arguments that were found. */
  readonly certain: Gates;
  /** The same, and those that could not be ruled out. */
  readonly possible: Gates;
  /** Their arguments flow to their services. */
  readonly sends: boolean;
  /** One for each range that results have. */
  readonly outcomes: readonly Way[];
  /** One for each store. */
  readonly writes: readonly Way[];
  /** One for each store and range. */
  readonly reads: readonly Way[];
}

export interface Way {
  readonly tool: number;
  readonly store: number;
  readonly result: LabelRange;
  /** Equal for equal ranges. */
  readonly range: number;
}

/** `asked`: compartments that assertions tell apart from others. */
export function terrainOf(tables: IndexedTables, model: Model, asked: readonly bigint[]): Terrain {
  const ranges = new Map(model.services.map((service) => [service.name, rangeOfService(service)]));
  const held = [...ranges.values()].flatMap(({ low, high }) => [low.compartments, high.compartments]);
  const sets = [...writtenSets(tables), ...held, ...asked];
  const labels = new Labels(groupsOf(tables.lattice.compartments.length, sets));
  const kinds = kindsOf(tables, model);
  const stores = kinds.stores.flatMap(({ service, exchanges }): Store[] => {
    const range = ranges.get(service);
    return range ? [{ service, exchanges, low: labels.idOf(range.low), high: labels.idOf(range.high) }] : [];
  });
  const ways = waysOf(tables, labels, kinds);
  const modes = modesOf(tables);
  const grounds = tables.rows.map((row, index) => groundOf({ tables, labels, kinds, ways, modes }, row, index));
  return { tables, labels, kinds, stores, grounds };
}

interface Making {
  readonly tables: IndexedTables;
  readonly labels: Labels;
  readonly kinds: Kinds;
  /** By kind. */
  readonly ways: readonly KindWay[];
  readonly modes: (kind: Kind, list: number) => FoundGates;
}

interface KindWay extends Way {
  /** Equal where a flow is asked about alike. */
  readonly face: number;
  readonly sends: boolean;
}

function waysOf(tables: IndexedTables, labels: Labels, { kinds }: Kinds): readonly KindWay[] {
  const ranges = numbering<string>();
  const faces = numbering<string>();
  return kinds.flatMap(({ tool: index, store }): KindWay[] => {
    const tool = tables.tools[index];
    if (tool === undefined) return [];
    const { result, networked, readOnly, sink } = tool;
    const sends = networked || !readOnly;
    const released = tables.releases.map(({ tools }) => (tools.includes(index) ? 1 : 0));
    const face = faces(`${labels.idOf(sink)} ${sends} ${released}`);
    const range = ranges(`${labels.idOf(result.low)} ${labels.idOf(result.high)}`);
    return [{ tool: index, store, result, range, face, sends }];
  });
}

interface FoundGates {
  readonly certain: Gates;
  readonly possible: Gates;
}

/** Arguments are looked for once for each form of them and each list of decisions. */
function modesOf(tables: IndexedTables): (kind: Kind, list: number) => FoundGates {
  const known = new Map<number, FoundGates>();
  return ({ tool, params }, list) => {
    const key = params * tables.decisions.length + list;
    const before = known.get(key);
    if (before !== undefined) return before;
    const [about, decision] = [tables.tools[tool], tables.decisions[list]];
    const found = about && decision && argumentsFor(about, decision);
    const gates = (...wanted: readonly string[]) =>
      GATES.reduce((all, gate) => (wanted.includes(found?.[gate].kind ?? "") ? all | gateBit(gate) : all), NO_GATE);
    const made = { certain: gates("some"), possible: gates("some", "unknown") };
    known.set(key, made);
    return made;
  };
}

function groundOf(making: Making, row: Row, index: number): Ground {
  const { tables, labels } = making;
  const here = tables.rows.flatMap((other, at) =>
    other.session === row.session && other.task === row.task ? [{ other, at }] : [],
  );
  const { doors, doorOf } = doorsOf(making, row);
  const indexesOf = (wanted: (other: Row) => boolean) => here.flatMap(({ other, at }) => (wanted(other) ? [at] : []));
  const own = row.worker === "";
  return {
    row,
    index,
    begins: own && row.phaseIndex === 0,
    starts: labels.idOf(row.starts),
    clearance: labels.idOf(row.clearance),
    later: own ? indexesOf(({ worker, phaseIndex }) => worker === "" && phaseIndex > row.phaseIndex) : [],
    ingresses: tables.ingresses.flatMap((ingress, at) => (ingress.row === index ? [at] : [])),
    workers: own ? indexesOf(({ worker, phase }) => worker !== "" && phase === row.phase) : [],
    parent: own ? undefined : indexesOf(({ worker, phase }) => worker === "" && phase === row.phase)[0],
    doors,
    doorOf,
  };
}

type Building = Omit<Door, "outcomes" | "writes" | "reads"> & Record<"outcomes" | "writes" | "reads", Map<number, Way>>;

function doorsOf({ tables, labels, kinds, ways, modes }: Making, row: Row): Pick<Ground, "doors" | "doorOf"> {
  const clearance = labels.idOf(row.clearance);
  const numbered = numbering<number>();
  const doors: Building[] = [];
  const doorOf = kinds.kinds.map((kind, at) => {
    const way = ways[at];
    const list = (row.cells[kind.tool] ?? 0) - FIRST_DECISION;
    const decision = tables.decisions[list];
    if (way === undefined || decision === undefined) return -1;
    // Refused before its effect: what it returns might be above what the session is cleared for.
    const readOnly = tables.tools[kind.tool]?.readOnly === true;
    if (!readOnly && !labels.mayFlow(labels.idOf(way.result.high), clearance)) return -1;
    const { certain, possible } = modes(kind, list);
    const key = ((way.face * tables.decisions.length + list) * 8 + certain) * 8 + possible;
    const index = numbered(key);
    doors[index] ??= {
      tool: kind.tool,
      list: decision,
      certain,
      possible,
      sends: way.sends,
      ...{ outcomes: new Map(), writes: new Map(), reads: new Map() },
    };
    open(doors[index], way);
    return index;
  });
  // Of ways that are as long the one that asks the fewest questions is the one to be shown.
  const order = [...doors.keys()].sort((one, other) => ease(doors[one]) - ease(doors[other]));
  const places = new Map(order.map((door, place) => [door, place]));
  return {
    doors: order.flatMap((door) => doors[door] ?? []).map(closed),
    doorOf: doorOf.map((door) => places.get(door) ?? -1),
  };
}

/** Lower for gates that are less strict. */
function ease(door: Building | undefined): number {
  const gates = door?.possible ?? NO_GATE;
  return gates & -gates;
}

function open(door: Building, way: KindWay): void {
  const into = (ways: Map<number, Way>, key: number) => ways.has(key) || ways.set(key, way);
  into(door.outcomes, way.range);
  if (door.sends) into(door.writes, way.store);
  into(door.reads, way.store * 2 ** 26 + way.range);
}

function closed({ outcomes, writes, reads, ...door }: Building): Door {
  return { ...door, outcomes: [...outcomes.values()], writes: [...writes.values()], reads: [...reads.values()] };
}
