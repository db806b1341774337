import type { Decision, Label, LabelRange, PolicyTables, Row } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Model } from "../../bind/index.ts";
import { getServiceRange, type Policy } from "../../policy/index.ts";
import type { Mode } from "./arguments.ts";
import { everyLabel } from "./labels.ts";

// Builds the inputs of the naive evaluator: the tables, and facts of the page that the tables do not contain.

/** How a call runs: its gate, its release, and the label of its arguments. */
export interface Running {
  readonly gate: Exclude<Mode, "forbidden">;
  /** Index of the release that lets the arguments flow; `undefined` if none is needed. */
  readonly release: number | undefined;
  /** Label that the arguments have at their destination. */
  readonly counted: Label;
}

interface Store {
  readonly name: string;
  readonly interfaceName: string;
  /** Range of labels that data of the service may have. */
  readonly range: LabelRange;
  /** Names of the services of which this service has a grant. */
  readonly uses: readonly string[];
}

export interface System {
  readonly tables: PolicyTables;
  readonly stores: readonly Store[];
  /** Names of the sessions that each session extends, itself included. */
  readonly extended: ReadonlyMap<string, readonly string[]>;
  readonly labels: readonly Label[];
  /** Cache of the modes that trials of arguments found, because every question about a system needs them. */
  readonly tried: Map<Decision, Map<string, readonly Mode[]>>;
  readonly answers: Map<string, readonly Running[]>;
}

export function systemOf({ tables }: Policy, model: Model): System {
  const stores = model.services.map((service) => ({
    name: service.name,
    interfaceName: service.interface.name,
    range: getServiceRange(service),
    uses: service.grants.filter(({ to }) => to.kind === "service").map(({ to }) => to.name),
  }));
  const extended = new Map<string, string[]>();
  for (const session of model.sessions) {
    const line = [session.id];
    for (let at = session; at.relation === "extends" && at.base !== undefined; at = at.base) line.push(at.base.id);
    extended.set(session.id, line);
  }
  return { tables, stores, extended, labels: everyLabel(tables.lattice), tried: new Map(), answers: new Map() };
}

export function storeOf(system: System, name: string): Store {
  const store = system.stores.find((one) => one.name === name);
  if (store === undefined) throw new Error(`no service ${name}`);
  return store;
}

/** Returns whether a conversation in the row `parent` can start this worker. */
export function isParent(parent: Row, worker: Row): boolean {
  if (worker.worker === "" || parent.worker !== "") return false;
  return parent.session === worker.session && parent.task === worker.task && parent.phase === worker.phase;
}
