import type { LabelRange, PolicyTables, Row } from "../../../engine/lib/wire/generated/policy.ts";
import { getMannerOfCell, type Kinds } from "./kinds.ts";
import type { LabelId, Labels } from "./labels.ts";
import { type Manner, type Manners, SHUT } from "./manners.ts";
import { createNumbering } from "./numbering.ts";

/** Tools of a row that run under the same conditions. */
export interface Door {
  /** Equal for doors of all rows that let the same labels through. */
  readonly sign: number;
  /** One of them. */
  readonly tool: number;
  readonly manner: Manner;
  /** Their arguments flow to their services. */
  readonly sends: boolean;
  /** One for each range that results have. */
  readonly outcomes: readonly Way[];
  /** One for each store, by what the store may hold. */
  readonly writes: readonly Outlet[];
  /** One for each range, by store. */
  readonly reads: ReadonlyMap<number, readonly Way[]>;
}

/** Stores that put the same label on the same words. */
export interface Outlet {
  readonly low: LabelId;
  readonly high: LabelId;
  /** A grant connects them with others, where another label may be put on it. */
  readonly exchanging: boolean;
  readonly ways: readonly Way[];
}

/** A tool that stands for those of one door that return alike, and the store that it leads to. */
export interface Way {
  readonly tool: number;
  readonly store: number;
  readonly result: LabelRange;
  /** Equal for equal ranges. */
  readonly range: number;
}

/** What the services that one stands for may hold. */
export interface Store {
  readonly service: string;
  readonly low: LabelId;
  readonly high: LabelId;
  /** Stores that a grant connects it with. */
  readonly exchanges: readonly number[];
}

/** What doors are made of. */
interface Building {
  readonly tables: PolicyTables;
  readonly labels: Labels;
  readonly kinds: Kinds;
  readonly manners: Manners;
  readonly stores: readonly Store[];
}

/** The doors of one row. */
export interface Doors {
  readonly doors: readonly Door[];
  /** By kind of tool: index into `doors`; -1 where it never runs. */
  readonly doorOf: readonly number[];
}

/** Makes the doors of one row after the other. */
export function createTransitionBuilder(building: Building): (row: Row) => Doors {
  const { tables, kinds, manners } = building;
  const ways = kinds.kinds.map(createEdgeBuilder(building));
  const signed = createNumbering<string>();
  return (row) => {
    const released = row.releases.filter((release) => tables.releases[release] !== undefined).join();
    const made = [...groupKindsByTransition(building, ways, row)].flatMap(([key, members]) => {
      const manner = manners.getManner(key % manners.size);
      if (manner === undefined) return [];
      const through = members.flatMap((kind) => ways[kind] ?? []);
      return [{ members, door: buildTransition(building, through, signed(`${key} ${released}`), manner) }];
    });
    // Of ways that are as long the one that asks the fewest questions is the one to be shown.
    made.sort((one, other) => computeLoosestGate(one.door) - computeLoosestGate(other.door));
    const doorAt = new Map(made.flatMap(({ members }, place) => members.map((kind) => [kind, place] as const)));
    return { doors: made.map(({ door }) => door), doorOf: kinds.kinds.map((_, kind) => doorAt.get(kind) ?? -1) };
  };
}

/** Kinds of tools that go through one door of a row, by the face of their way and their manner. */
function groupKindsByTransition(
  building: Building,
  ways: readonly (KindWay | undefined)[],
  row: Row,
): Map<number, number[]> {
  const { kinds, manners } = building;
  const byDoor = new Map<number, number[]>();
  for (const [kind, { tool }] of kinds.kinds.entries()) {
    const way = ways[kind];
    const manner = getMannerOfCell(manners, row.cells, tool);
    if (way === undefined || manner === SHUT || isUnheard(building, row, tool)) continue;
    // All manners are numbered by now: kinds were told apart by them.
    const door = way.face * manners.size + manner;
    const before = byDoor.get(door);
    if (before === undefined) byDoor.set(door, [kind]);
    else before.push(kind);
  }
  return byDoor;
}

interface KindWay extends Way {
  /** Equal where a flow is asked about alike. */
  readonly face: number;
  readonly sends: boolean;
}

function createEdgeBuilder({ tables, labels }: Building): (kind: Kinds["kinds"][number]) => KindWay | undefined {
  const ranges = createNumbering<string>();
  const faces = createNumbering<string>();
  return ({ tool: index, store }) => {
    const tool = tables.tools[index];
    if (tool === undefined) return undefined;
    const { result, networked, readOnly, sink } = tool;
    const sends = networked || !readOnly;
    const released = tables.releases.map(({ tools }) => (tools.includes(index) ? 1 : 0)).join("");
    const face = faces(sends ? `${labels.internLabel(sink)} ${released}` : "");
    const range = ranges(`${labels.internLabel(result.low)} ${labels.internLabel(result.high)}`);
    return { tool: index, store, result, range, face, sends };
  };
}

/** Refused before its effect: what it returns might be above what the session is cleared for. */
function isUnheard({ tables, labels }: Building, { clearance }: Row, index: number): boolean {
  const tool = tables.tools[index];
  return (
    tool === undefined ||
    (!tool.readOnly && !labels.mayFlow(labels.internLabel(tool.result.high), labels.internLabel(clearance)))
  );
}

function buildTransition({ stores }: Building, ways: readonly KindWay[], sign: number, manner: Manner): Door {
  const [first] = ways;
  const sends = first?.sends === true;
  const outcomes = keepDistinctEdges(ways, ({ range }) => range);
  const writes = sends
    ? groupSinks(
        stores,
        keepDistinctEdges(ways, ({ store }) => store),
      )
    : [];
  const byStore = Map.groupBy(ways, ({ store }) => store);
  const reads = new Map([...byStore].map(([store, held]) => [store, keepDistinctEdges(held, ({ range }) => range)]));
  return { sign, tool: first?.tool ?? 0, manner, sends, outcomes, writes, reads };
}

function groupSinks(stores: readonly Store[], ways: readonly Way[]): Outlet[] {
  const kept = Map.groupBy(ways, ({ store }) => {
    const { low, high, exchanges = [] } = stores[store] ?? {};
    return `${low} ${high} ${exchanges.length > 0}`;
  });
  return [...kept.values()].flatMap((alike): Outlet[] => {
    const store = stores[alike[0]?.store ?? -1];
    return store ? [{ low: store.low, high: store.high, exchanging: store.exchanges.length > 0, ways: alike }] : [];
  });
}

function keepDistinctEdges(ways: readonly Way[], keyOf: (way: Way) => number): Way[] {
  const found = new Map<number, Way>();
  for (const way of ways) if (!found.has(keyOf(way))) found.set(keyOf(way), way);
  return [...found.values()];
}

/** Lower for gates that are less strict. */
function computeLoosestGate({ manner: { possible } }: Door): number {
  return possible & -possible;
}
