import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { Model } from "../bind/index.ts";
import { getServiceRange } from "../policy/index.ts";
import { type Beside, indexRelatedRows } from "./beside.ts";
import { collectTableSets, groupCompartments } from "./compartments.ts";
import { createTransitionBuilder, type Doors, type Store } from "./doors.ts";
import { classifyTools, type Kinds } from "./kinds.ts";
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
  /** Rows of later phases; of very many that of the next one. */
  readonly later: readonly number[];
  /** Indexes into the tables' ingresses. */
  readonly ingresses: readonly number[];
  /** Rows of the workers that may be started here. */
  readonly workers: readonly number[];
  /** Of a worker's row: that of the conversation which starts it. */
  readonly parent: number | undefined;
}

/** `asked`: compartments that assertions tell apart from others. */
export function buildStateSpace(tables: IndexedTables, model: Model, asked: readonly bigint[]): Terrain {
  const ranges = new Map(model.services.map((service) => [service.name, getServiceRange(service)]));
  const sets = [...collectCompartmentSets(tables, model), ...asked];
  const labels = new Labels(groupCompartments(tables.lattice.compartments.length, sets));
  const manners = new Manners(tables);
  const kinds = classifyTools(tables, model, manners);
  const stores = kinds.stores.flatMap(({ service, exchanges }): Store[] => {
    const range = ranges.get(service);
    return range
      ? [{ service, exchanges, low: labels.internLabel(range.low), high: labels.internLabel(range.high) }]
      : [];
  });
  const doorsOf = createTransitionBuilder({ tables, labels, kinds, manners, stores });
  const beside = indexRelatedRows(tables.rows);
  const grounds = tables.rows.map((row, index): Ground => {
    const near = beside(row);
    return { ...doorsOf(row), ...createState(tables, labels, near, row, index) };
  });
  return { tables, labels, kinds, stores, grounds };
}

/** Every set of compartments that the page writes. */
export function collectCompartmentSets(tables: IndexedTables, { services }: Model): readonly bigint[] {
  const ranges = services.map(getServiceRange);
  return [...collectTableSets(tables), ...ranges.flatMap(({ low, high }) => [low.compartments, high.compartments])];
}

function createState(
  tables: IndexedTables,
  labels: Labels,
  beside: Beside,
  row: Row,
  index: number,
): Omit<Ground, keyof Doors> {
  const own = row.worker === "";
  return {
    row,
    index,
    begins: own && row.phaseIndex === 0,
    starts: labels.internLabel(row.starts),
    clearance: labels.internLabel(row.clearance),
    later: beside.later.get(index) ?? [],
    ingresses: tables.ingresses.flatMap((ingress, at) => (ingress.row === index ? [at] : [])),
    workers: own ? (beside.workers.get(row.phase) ?? []) : [],
    parent: own ? undefined : beside.byPhase.get(row.phase),
  };
}
