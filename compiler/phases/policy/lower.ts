import { TABLES_SCHEMA_VERSION } from "../../../engine/lib/policy/index.ts";
import type {
  Backend,
  Category,
  Ingress,
  PolicyTables,
  Principal,
  Row,
  Tool as WireTool,
} from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { byCodeUnits, placeOf } from "../../../lang/text/index.ts";
import { memoryOfMachine } from "../../../targets/contract/memory.ts";
import type { Origins, Policy } from "../../../targets/contract/policy.ts";
import type { BootPlan } from "../../../targets/contract/upstream-plan.ts";
import {
  type Backend as BoundBackend,
  type Ingress as BoundIngress,
  isWithin,
  type Model,
  type Release,
  type Tool,
  type Weights,
} from "../bind/index.ts";
import { type BackendHeads, backendPlan, embedderPlan, mostContextTokens } from "./backends.ts";
import type { RuleIndex } from "./clauses.ts";
import { firstUnasked, type HeldQuota } from "./effective.ts";
import { type Services, servicesByName } from "./holding.ts";
import type { Providers } from "./implementations.ts";
import { labelOf, rangeOfResult, sinkOf } from "./labels.ts";
import type { RuleWords } from "./layers.ts";
import { collectorScope, networkPlan } from "./network.ts";
import { byName, rowSessions } from "./place.ts";
import { answersIn, placesOf } from "./places.ts";
import { releaseRule, releasesOf, wireRelease } from "./releases.ts";
import type { Resolution } from "./resolve.ts";
import { type Answered, decisionPool, type Indexes, quotaRule, rowOf, rulesOf, wireQuotas } from "./rows.ts";
import { servicePlan } from "./services.ts";
import { upstreamPlan } from "./upstream/lower.ts";

// From a model that every law accepts to the policy: numbers for names, one order for everything. It decides nothing.

const ROOT = 65_535;

export interface Lowered {
  readonly policy: Policy;
  readonly origins: Origins;
}

/** A lawful page, and what was read beside it; without `heads`, `secrets` and `boot` where nothing is built. */
interface Lawful {
  readonly model: Model;
  readonly resolution: Resolution;
  readonly provided: Providers;
  readonly heads?: BackendHeads;
  readonly secrets?: Policy["secrets"];
  readonly boot?: BootPlan | undefined;
}

/** Tables that are derived from the model once, for all that read them. */
interface Derived {
  readonly releases: readonly Release[];
  readonly services: Services;
}

/** Returns the policy of a lawful page, and where in the page each part of it stands. */
export function lower(lawful: Lawful): Lowered {
  const { model, resolution, secrets = [] } = lawful;
  const derived: Derived = { releases: releasesOf(model), services: servicesByName(model) };
  const places = placesOf(model).map((place) => ({ place, answers: answersIn(model, resolution, place) }));
  const rules = rulesOf(places, [...derived.releases.map(releaseRule), ...model.backends.flatMap(backendRules)]);
  const tables = tablesOf(model, derived, places, rules);
  return {
    policy: { ...policyOf(lawful, tables, derived.services), secrets },
    origins: { ...originsOf(model), rules: rules.map(({ span }) => span) },
  };
}

function tablesOf(
  model: Model,
  { releases, services }: Derived,
  places: readonly Answered[],
  rules: readonly RuleWords[],
): PolicyTables {
  const ruleAt = indexBy(rules.map((rule) => rule.id));
  const ruleIndex: RuleIndex = (id) => ruleAt.get(id) ?? bug(`no rule ${id}`);
  const backends = byName(model.backends);
  const principals = byName(model.principals);
  const indexes: Indexes = {
    principals: indexBy(principals.map(({ name }) => name)),
    backends: indexBy(backends.map(({ name }) => name)),
    held: releases,
    releases: indexBy(releases.map(({ words }) => words)),
    ruleIndex,
  };
  const toolAt = new Map(model.tools.map((tool, index) => [tool, index]));
  const pool = decisionPool(ruleIndex);
  const categories = wireCategories(model);
  const categoryAt = indexBy(categories.map(({ name }) => name));
  const rows = places.map(({ place, answers }) => rowOf(model, place, answers.map(pool.cellOf), indexes));
  const { system } = model;
  return {
    schemaVersion: TABLES_SCHEMA_VERSION,
    systemId: system?.name.text ?? bug("a policy without a system"),
    version: system?.version?.value ?? "0.0.0",
    lattice: { ...model.lattice },
    categories,
    tools: model.tools.map((tool) => wireTool(tool, categoryAt.get(tool.method.category.name) ?? 0, services)),
    rules: rules.map(({ id, words, span }) => ({ id, words, place: placeOf(span) })),
    decisions: pool.decisions,
    rows,
    backends: backends.map((backend) => wireBackend(backend, ruleIndex)),
    principals: principals.map(
      ({ name, keys, passphrase }): Principal => ({
        name,
        keys: [...new Set(keys.map(({ key }) => key))].sort(byCodeUnits),
        passphrase: passphrase?.name ?? "",
      }),
    ),
    releases: releases.map((release) =>
      wireRelease(model.lattice, toolAt, release, ruleIndex(releaseRule(release).id)),
    ),
    ingresses: byName(model.ingresses).map((ingress) => wireIngress(ingress, rows)),
  };
}

function backendQuotas({ name, quotas }: BoundBackend): HeldQuota[] {
  return quotas.map((quota) => ({ owner: `backend ${name}`, quota }));
}

function backendRules(backend: BoundBackend): RuleWords[] {
  return backendQuotas(backend).map(quotaRule);
}

function wireBackend(backend: BoundBackend, ruleIndex: RuleIndex): Backend {
  return {
    name: backend.name,
    kind: backend.kind,
    clearance: labelOf(backend.clearance, 0),
    local: backend.kind !== "remote" && backend.kind !== "browser",
    quotas: wireQuotas(backendQuotas(backend), ruleIndex),
    logRequired: backend.logRequired,
    ...(backend.model?.price ?? FREE),
    embedder: backend.embedder?.name ?? "",
    contextTokens: mostContextTokens(backend),
  };
}

/** Whose page says no price. */
const FREE = { currency: "", inputMicros: 0n, outputMicros: 0n };

function wireIngress({ name, source, address, into, label }: BoundIngress, rows: readonly Row[]): Ingress {
  const task = into.kind === "task" ? into.task.name : "";
  const row = rows.findIndex(
    (at) => at.session === into.session.id && at.task === task && at.phaseIndex === 0 && at.worker === "",
  );
  if (row === -1) return bug(`an ingress ${name} into no row`);
  // What comes in is trusted no further than its label says; one that says nothing is not trusted.
  return { name, source, address: address ?? "", row, label: labelOf(label, 0) };
}

function policyOf(
  { model, provided, heads = new Map(), boot: files }: Lawful,
  tables: PolicyTables,
  services: Services,
): Omit<Policy, "secrets"> {
  const { storage, image } = model;
  const network = networkPlan(model.network);
  const collector = collectorScope(model.network);
  const upstream = upstreamPlan(model, files);
  const boot = image?.boot?.id ?? bug("a policy without a session that boots");
  const machine = image?.machine?.text === "pc" ? "pc" : "vm";
  return {
    tables,
    services: byName(model.services).map((service) => servicePlan(service, provided, services)),
    // Others are refused where something is built; what is only checked has no plan of them.
    backends: byName(model.backends).flatMap((backend) => backendPlan(backend, heads)),
    embedders: usedEmbedders(model).flatMap((weights) => embedderPlan(weights, heads)),
    ...(storage === undefined
      ? {}
      : {
          storage: {
            disk: storage.disk,
            encrypted: storage.encrypt !== undefined,
            create: storage.create !== undefined,
          },
        }),
    ...(network === undefined ? {} : { network }),
    ...(collector === undefined ? {} : { collector }),
    image: {
      target: upstream === undefined ? "linux" : "capos",
      ...(upstream === undefined ? {} : { upstream }),
      machine,
      // A PC has a screen and a keyboard before it, a virtual machine has a host that reads its serial port.
      console: image?.console ?? (machine === "pc" ? "screen" : "serial"),
      // A page that does not say leaves it to the machine: one image starts on either. BIOS can seal nothing.
      firmware: image?.firmware ?? (image?.trust === "sealed" ? ["uefi"] : ["bios", "uefi"]),
      trust: image?.trust ?? "media",
      memoryBytes: memoryOfMachine(image),
      boot,
    },
  };
}

/** What somebody's conversations are embedded by. */
function usedEmbedders(model: Model): readonly Weights[] {
  return byName([...new Set(rowSessions(model).flatMap((session) => firstUnasked(session)?.backend.embedder ?? []))]);
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

function wireTool({ name, service, method }: Tool, category: number, services: Services): WireTool {
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
    sink: sinkOf(service, method, services),
    networked: service.networked,
    redact: [...method.redact],
    truncateBytes: method.truncateBytes,
    pageProgram: service.exec !== undefined,
  };
}

function indexBy(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
