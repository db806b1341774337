import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { Model } from "../bind/index.ts";
import { getServiceRange } from "../policy/index.ts";
import { DecisionAbstractions } from "./abstractions.ts";
import { collectTableSets, groupCompartments } from "./compartments.ts";
import { classifyTools, type Kinds } from "./kinds.ts";
import { type LabelId, Labels } from "./labels.ts";
import { indexRelatedRows, type RelatedRows } from "./related-rows.ts";
import { createTransitionBuilder, type Store, type Transitions } from "./transitions.ts";

// Defines the state space that all searches share: a control location for each row, its transitions, and the stores of services.

/** The tables in the form that a search reads. */
export interface StateSpace {
  readonly tables: IndexedTables;
  readonly labels: Labels;
  readonly kinds: Kinds;
  readonly stores: readonly Store[];
  /** Locations, one for each row of the tables. */
  readonly locations: readonly Location[];
}

/** One row as a place where the search can be, with the transitions that are possible there. */
export interface Location extends Transitions {
  readonly row: Row;
  readonly index: number;
  /** Whether a conversation may begin in this row. */
  readonly begins: boolean;
  readonly starts: LabelId;
  readonly clearance: LabelId;
  /** Rows of later phases; only the row of the next phase if there are very many phases. */
  readonly later: readonly number[];
  /** The ingresses of this row, as indexes into the tables' ingresses. */
  readonly ingresses: readonly number[];
  /** Rows of the workers that a conversation in this row may start. */
  readonly workers: readonly number[];
  /** Row of the conversation that starts the worker; `undefined` if this row is not a worker's. */
  readonly parent: number | undefined;
}

/** Returns the state space of the tables. `assertedSets` are the sets of compartments that assertions name. */
export function buildStateSpace(tables: IndexedTables, model: Model, assertedSets: readonly bigint[]): StateSpace {
  const ranges = new Map(model.services.map((service) => [service.name, getServiceRange(service)]));
  const sets = [...collectCompartmentSets(tables, model), ...assertedSets];
  const labels = new Labels(groupCompartments(tables.lattice.compartments.length, sets));
  const abstractions = new DecisionAbstractions(tables);
  const kinds = classifyTools(tables, model, abstractions);
  const stores = kinds.stores.flatMap(({ service, exchanges }): Store[] => {
    const range = ranges.get(service);
    return range
      ? [{ service, exchanges, low: labels.internLabel(range.low), high: labels.internLabel(range.high) }]
      : [];
  });
  const space = { tables, labels, kinds, stores };
  const buildTransitions = createTransitionBuilder({ ...space, abstractions });
  const getRelatedRows = indexRelatedRows(tables.rows);
  const locations = tables.rows.map((row, index): Location => {
    const related = getRelatedRows(row);
    return { ...buildTransitions(row), ...createLocation(space, related, row, index) };
  });
  return { ...space, locations };
}

/** Returns every set of compartments in a label of the page. */
export function collectCompartmentSets(tables: IndexedTables, { services }: Model): readonly bigint[] {
  const ranges = services.map(getServiceRange);
  return [...collectTableSets(tables), ...ranges.flatMap(({ low, high }) => [low.compartments, high.compartments])];
}

function createLocation(
  { tables, labels }: Pick<StateSpace, "tables" | "labels">,
  related: RelatedRows,
  row: Row,
  index: number,
): Omit<Location, keyof Transitions> {
  const own = row.worker === "";
  return {
    row,
    index,
    // If the session requires a task, a conversation outside of tasks cannot do anything.
    begins: own && row.phaseIndex === 0 && !row.requiresTask,
    starts: labels.internLabel(row.starts),
    clearance: labels.internLabel(row.clearance),
    later: related.later.get(index) ?? [],
    // An ingress cannot begin a task with parameters, because no person chooses the values.
    ingresses:
      row.parameters.length > 0 ? [] : tables.ingresses.flatMap((ingress, at) => (ingress.row === index ? [at] : [])),
    workers: own ? (related.workers.get(row.phase) ?? []) : [],
    parent: own ? undefined : related.byPhase.get(row.phase),
  };
}
