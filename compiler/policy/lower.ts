import type {
  Backend,
  Category,
  PolicyTables,
  Principal,
  Tool as WireTool,
} from "../../engine/wire/generated/policy.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import { byCodeUnits, placeOf } from "../../lang/text/index.ts";
import { isWithin, type Model, type Tool } from "../bind/index.ts";
import type { Providers } from "./implementations.ts";
import { labelOf, rangeOfResult, sinkOf } from "./labels.ts";
import type { BackendPlan, Origins, Policy, ServicePlan } from "./policy.ts";
import type { Resolution } from "./resolve.ts";
import { decisionPool, type Indexes, rowOf, rowSessions, rulesOf } from "./rows.ts";

// From a model that every law accepts to the policy: numbers for names, one order for everything. It decides nothing.

const SCHEMA_VERSION = 1;
const ROOT = 65_535;

export interface Lowered {
  readonly policy: Policy;
  readonly origins: Origins;
}

export function lower(model: Model, resolution: Resolution, provided: Providers): Lowered {
  const sessions = rowSessions(model);
  const rules = rulesOf(sessions, resolution);
  const ruleAt = indexBy(rules.map((rule) => rule.id));
  const ruleIndex = (id: string) => ruleAt.get(id) ?? bug(`no rule ${id}`);
  const backends = byName(model.backends);
  const principals = byName(model.principals);
  const indexes: Indexes = {
    principals: indexBy(principals.map(({ name }) => name)),
    backends: indexBy(backends.map(({ name }) => name)),
    ruleIndex,
  };
  const pool = decisionPool(ruleIndex);
  const categories = wireCategories(model);
  const categoryAt = indexBy(categories.map(({ name }) => name));
  const rows = sessions.map((session) =>
    rowOf(model, session, (resolution.get(session) ?? []).map(pool.cellOf), indexes),
  );
  const { system } = model;
  const tables: PolicyTables = {
    schemaVersion: SCHEMA_VERSION,
    systemId: system?.name.text ?? bug("a policy without a system"),
    version: system?.version?.value ?? "0.0.0",
    lattice: { ...model.lattice },
    categories,
    tools: model.tools.map((tool) => wireTool(tool, categoryAt.get(tool.method.category.name) ?? 0)),
    rules: rules.map(({ id, words, span }) => ({ id, words, place: placeOf(span) })),
    decisions: pool.decisions,
    rows,
    backends: backends.map(
      (backend): Backend => ({
        name: backend.name,
        kind: backend.kind,
        clearance: labelOf(backend.clearance, 0),
        local: backend.kind !== "remote" && backend.kind !== "browser",
      }),
    ),
    principals: principals.map(
      ({ name, keys }): Principal => ({ name, keys: [...new Set(keys.map(({ key }) => key))].sort(byCodeUnits) }),
    ),
  };
  return {
    policy: policyOf(model, tables, provided),
    origins: { ...originsOf(model), rules: rules.map(({ span }) => span) },
  };
}

function policyOf(model: Model, tables: PolicyTables, provided: Providers): Policy {
  const { storage, image } = model;
  const boot = image?.boot?.id ?? bug("a policy without a session that boots");
  return {
    tables,
    services: byName(model.services).map(
      (service): ServicePlan => ({
        name: service.name,
        interfaceName: service.interface.name,
        interfaceId: service.interface.description.id,
        implementation: provided.get(service.interface.name) ?? bug(`nothing provides ${service.interface.name}`),
        stateBytes: Number(service.stateBytes),
        label: sinkOf(service),
      }),
    ),
    backends: byName(model.backends).map(
      ({ name, replies }): BackendPlan => ({ name, kind: "stub", ...(replies === undefined ? {} : { replies }) }),
    ),
    ...(storage === undefined ? {} : { storage: { disk: storage.disk, encrypted: false } }),
    image: { target: "linux", machine: "vm", boot },
  };
}

function originsOf(model: Model): Omit<Origins, "rules"> {
  return {
    sessions: new Map(model.sessions.map((session) => [session.id, session.node.name.span])),
    services: new Map(model.services.map((service) => [service.name, service.node.name.span])),
    backends: new Map(model.backends.map((backend) => [backend.name, backend.span])),
    principals: new Map(model.principals.map((principal) => [principal.name, principal.node.name.span])),
  };
}

function wireCategories(model: Model): Category[] {
  const sorted = byName(model.categories);
  const at = indexBy(sorted.map(({ name }) => name));
  return sorted.map(({ name, parent }) => ({
    name,
    parent: parent === undefined ? ROOT : (at.get(parent.name) ?? ROOT),
  }));
}

function wireTool({ name, service, method }: Tool, category: number): WireTool {
  const { description } = method;
  return {
    name,
    description: description.doc,
    interfaceId: service.interface.description.id,
    interfaceName: service.interface.name,
    method: description.ordinal,
    methodName: description.name,
    category,
    readOnly: isWithin(method.category, "readOnly"),
    provider: service.name,
    paramSchema: description.paramSchema,
    params: [...description.params],
    result: rangeOfResult(service, method),
    sink: sinkOf(service),
    networked: false,
    redact: [...method.redact],
    truncateBytes: method.truncateBytes,
  };
}

function byName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return [...items].sort((left, right) => byCodeUnits(left.name, right.name));
}

function indexBy(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
