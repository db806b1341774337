import type { IndexedTables } from "../../engine/policy/index.ts";
import type { Row } from "../../engine/wire/generated/policy.ts";
import type { Model } from "../bind/index.ts";
import { rangeOfService } from "../policy/index.ts";
import { groupsOf, writtenSets } from "./compartments.ts";
import { type Doors, doorMaker, type Store } from "./doors.ts";
import { type Kinds, kindsOf } from "./kinds.ts";
import { type LabelId, Labels } from "./labels.ts";
import { Manners } from "./manners.ts";

// What all searches walk on: rows, what stands open in each of them, and the services that keep what goes in.

/** The tables as a search sees them. */
export interface Terrain {
  readonly tables: IndexedTables;
  readonly labels: Labels;
  readonly kinds: Kinds;
  readonly stores: readonly Store[];
  /** One for each row of the tables. */
  readonly grounds: readonly Ground[];
}

/** One row, and where conversations go from it. */
export interface Ground extends Doors {
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
}

/** `asked`: compartments that assertions tell apart from others. */
export function terrainOf(tables: IndexedTables, model: Model, asked: readonly bigint[]): Terrain {
  const ranges = new Map(model.services.map((service) => [service.name, rangeOfService(service)]));
  const held = [...ranges.values()].flatMap(({ low, high }) => [low.compartments, high.compartments]);
  const sets = [...writtenSets(tables), ...held, ...asked];
  const labels = new Labels(groupsOf(tables.lattice.compartments.length, sets));
  const manners = new Manners(tables);
  const kinds = kindsOf(tables, model, manners);
  const stores = kinds.stores.flatMap(({ service, exchanges }): Store[] => {
    const range = ranges.get(service);
    return range ? [{ service, exchanges, low: labels.idOf(range.low), high: labels.idOf(range.high) }] : [];
  });
  const doorsOf = doorMaker({ tables, labels, kinds, manners, stores });
  const together = Map.groupBy(tables.rows.keys(), (index) => placeOf(tables.rows[index]));
  const grounds = tables.rows.map((row, index): Ground => {
    const around = together.get(placeOf(row)) ?? [];
    return { ...doorsOf(row), ...groundOf(tables, labels, around, row, index) };
  });
  return { tables, labels, kinds, stores, grounds };
}

function placeOf(row: Row | undefined): string {
  return JSON.stringify([row?.session, row?.task]);
}

/** `around`: rows of the same session and task. */
function groundOf(
  tables: IndexedTables,
  labels: Labels,
  around: readonly number[],
  row: Row,
  index: number,
): Omit<Ground, keyof Doors> {
  const rowsWhere = (wanted: (other: Row) => boolean) =>
    around.filter((at) => {
      const other = tables.rows[at];
      return other !== undefined && wanted(other);
    });
  const own = row.worker === "";
  return {
    row,
    index,
    begins: own && row.phaseIndex === 0,
    starts: labels.idOf(row.starts),
    clearance: labels.idOf(row.clearance),
    later: own ? rowsWhere(({ worker, phaseIndex }) => worker === "" && phaseIndex > row.phaseIndex) : [],
    ingresses: tables.ingresses.flatMap((ingress, at) => (ingress.row === index ? [at] : [])),
    workers: own ? rowsWhere(({ worker, phase }) => worker !== "" && phase === row.phase) : [],
    parent: own ? undefined : rowsWhere(({ worker, phase }) => worker === "" && phase === row.phase)[0],
  };
}
