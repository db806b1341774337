import { listConditions, TABLES_SCHEMA_VERSION } from "../../../engine/lib/policy/index.ts";
import type {
  Backend,
  Category,
  Decision,
  Ingress,
  PolicyTables,
  Principal,
  Redaction,
  Row,
  Source,
  Tool as WireTool,
} from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { compareCodeUnits, placeOf } from "../../../lang/text/index.ts";
import { getMachineMemory } from "../../../targets/contract/memory.ts";
import { type Origins, type Policy, TARGETS } from "../../../targets/contract/policy.ts";
import type { BootPlan } from "../../../targets/contract/upstream-plan.ts";
import {
  type Backend as BoundBackend,
  type Ingress as BoundIngress,
  type Redaction as BoundRedaction,
  isWithin,
  type Model,
  type Release,
  type Tool,
  type Weights,
} from "../bind/index.ts";
import { encodeKeep } from "./audit-keep.ts";
import { type BackendHeads, getContextLimit, planBackend, planEmbedder } from "./backends.ts";
import type { RuleIndex } from "./clauses.ts";
import { findFirstUnasked, type HeldQuota } from "./effective.ts";
import { indexServices, type Services } from "./grants-between-services.ts";
import type { Providers } from "./implementations.ts";
import { createToolLabeller, resolveLabel, type ToolLabels } from "./labels.ts";
import type { RuleWords } from "./layers.ts";
import { planNetwork, readCollectorScope, readServiceScope } from "./network.ts";
import { selectRowSessions, sortByName } from "./place.ts";
import { computeAnswers, enumeratePlaces } from "./places.ts";
import { encodeRelease, listReleases, releaseRule } from "./releases.ts";
import type { Resolution } from "./resolve.ts";
import {
  closeOutsideOfTasks,
  collectRules,
  createDecisionPool,
  encodeQuotas,
  encodeRow,
  type Indexes,
  makeQuotaRule,
  type PlaceAnswers,
} from "./rows.ts";
import { planService } from "./services.ts";
import { planUpstream } from "./upstream/lower.ts";

// Turns a model without errors into the policy: names become numbers in a fixed order. Lowering makes no decisions.

const ROOT = 65_535;

export interface LoweredPolicy {
  readonly policy: Policy;
  readonly origins: Origins;
}

/**
 * A page without errors, and files of the package. `heads`, `secrets` and `boot` are present only if an image is built.
 */
interface Lawful {
  readonly model: Model;
  readonly resolution: Resolution;
  readonly provided: Providers;
  readonly heads?: BackendHeads;
  readonly secrets?: Policy["secrets"];
  readonly boot?: BootPlan | undefined;
}

/** Parts of the tables that are derived from the model once and used several times. */
interface Derived {
  readonly releases: readonly Release[];
  readonly services: Services;
}

/** Returns the policy of a page without errors, and the position on the page of each part of the policy. */
export function lower(lawful: Lawful): LoweredPolicy {
  const { model, resolution, secrets = [] } = lawful;
  const derived: Derived = { releases: listReleases(model), services: indexServices(model) };
  const places = enumeratePlaces(model).map((place) => {
    return { place, answers: closeOutsideOfTasks(place, computeAnswers(model, resolution, place)) };
  });
  const rules = collectRules(places, [
    ...derived.releases.map(releaseRule),
    ...model.backends.flatMap(collectBackendRules),
  ]);
  const tables = lowerTables(lawful, derived, places, rules);
  return {
    policy: { ...lowerPolicy(lawful, tables, derived.services), secrets },
    origins: { ...collectOrigins(model), rules: rules.map(({ span }) => span) },
  };
}

function lowerTables(
  { model, provided }: Lawful,
  { releases, services }: Derived,
  places: readonly PlaceAnswers[],
  rules: readonly RuleWords[],
): PolicyTables {
  const { system } = model;
  if (system === undefined) return bug("a policy without a system");
  const ruleAt = indexBy(rules.map((rule) => rule.id));
  const ruleIndex: RuleIndex = (id) => ruleAt.get(id) ?? bug(`no rule ${id}`);
  const backends = sortByName(model.backends);
  const principals = sortByName(model.principals);
  const indexes: Indexes = {
    principals: indexBy(principals.map(({ name }) => name)),
    backends: indexBy(backends.map(({ name }) => name)),
    held: releases,
    releases: indexBy(releases.map((release) => releaseRule(release).id)),
    ruleIndex,
  };
  const pool = createDecisionPool(ruleIndex);
  const toolAt = new Map(releases.length === 0 ? [] : model.tools.map((tool, index) => [tool, index]));
  const categories = encodeCategories(model);
  const categoryAt = indexBy(categories.map(({ name }) => name));
  const getToolLabels = createToolLabeller(services);
  const rows = places.map(({ place, answers }) => encodeRow(model, place, answers.map(pool.cellOf), indexes));
  return {
    schemaVersion: TABLES_SCHEMA_VERSION,
    systemId: system.name.text,
    version: system.version?.value ?? "0.0.0",
    lattice: { ...model.lattice },
    categories,
    tools: model.tools.map((tool) => ({
      ...encodeTool(tool, categoryAt.get(tool.method.category.name) ?? 0, getToolLabels(tool)),
      ...encodeReach(tool, provided),
    })),
    rules: rules.map(({ id, words, span }) => ({ id, words, place: placeOf(span) })),
    decisions: pool.decisions,
    rows,
    backends: backends.map((backend) => encodeBackend(backend, ruleIndex)),
    principals: principals.map(
      ({ name, keys, passphrase }): Principal => ({
        name,
        keys: [...new Set(keys.map(({ key }) => key))].sort(compareCodeUnits),
        passphrase: passphrase?.name ?? "",
      }),
    ),
    releases: releases.map((release) =>
      encodeRelease(model.lattice, toolAt, release, ruleIndex(releaseRule(release).id)),
    ),
    ingresses: sortByName(model.ingresses).map((ingress) => encodeIngress(ingress, rows)),
    pageTexts: listPageTexts(model, pool.decisions),
    redactions: sortByName(model.redactions).map((redaction) => encodeRedaction(model, redaction)),
    audit: {
      hasLimit: model.audit?.digests !== undefined,
      above: resolveLabel(model.audit?.digests?.above, 0),
      keep: encodeKeep(model.audit),
    },
  };
}

/** Returns the texts of the page's sets, in code-unit order; none if no condition uses `from page`. */
function listPageTexts({ sets }: Model, decisions: readonly Decision[]): readonly string[] {
  const asked = decisions.flatMap(listConditions);
  if (!asked.some(({ sources }) => sources.some(isOfPage))) return [];
  const texts = sets.flatMap(({ literals }) => literals.flatMap((one) => (one.kind === "text" ? one.text : [])));
  return [...new Set(texts)].sort(compareCodeUnits);
}

function isOfPage(source: Source): boolean {
  if (source.which !== "field") return source.which === "page";
  return source.field.related.some(({ sources }) => sources.some(isOfPage));
}

function collectBackendQuotas({ name, quotas }: BoundBackend): HeldQuota[] {
  return quotas.map((quota) => ({ owner: `backend ${name}`, quota }));
}

function collectBackendRules(backend: BoundBackend): RuleWords[] {
  return collectBackendQuotas(backend).map(makeQuotaRule);
}

function encodeBackend(backend: BoundBackend, ruleIndex: RuleIndex): Backend {
  return {
    name: backend.name,
    kind: backend.kind,
    clearance: resolveLabel(backend.clearance, 0),
    local: backend.kind !== "remote" && backend.kind !== "browser",
    quotas: encodeQuotas(collectBackendQuotas(backend), ruleIndex),
    logRequired: backend.logRequired,
    ...(backend.model?.price ?? FREE),
    embedder: backend.embedder?.name ?? "",
    contextTokens: getContextLimit(backend),
  };
}

/** Price of a backend for which the page states no price. */
const FREE = { currency: "", inputMicros: 0n, outputMicros: 0n };

function encodeIngress({ name, source, address, timer, into, label }: BoundIngress, rows: readonly Row[]): Ingress {
  const task = into.kind === "task" ? into.task.name : "";
  // The first row of a task is the row of its first phase; rows of workers follow the row in which the workers start.
  const row = rows.findIndex((at) => at.session === into.session.id && at.task === task);
  if (row === -1) return bug(`an ingress ${name} into no row`);
  // Incoming data is trusted only as far as its label states; without a label it is untrusted.
  const times = { zone: timer?.schedule.zone ?? "", missed: timer?.missed ?? "", says: timer?.says ?? "" };
  return { name, source, address: address ?? "", row, label: resolveLabel(label, 0), ...times };
}

/**
 * Encodes a redaction. The label of a redaction describes who may read the text, not how far the text is trusted. So by
 * default it has the highest integrity, which every clearance allows.
 */
function encodeRedaction({ lattice }: Model, { name, label, patterns, fields }: BoundRedaction): Redaction {
  const collect = (of: BoundRedaction["fields"][number]["of"]) =>
    fields.filter((field) => field.of === of).map(({ tool, field }) => ({ tool, name: field }));
  return {
    name,
    label: resolveLabel(label, lattice.integrity.length - 1),
    patterns: patterns.map(({ value }) => value),
    results: collect("result"),
    arguments: collect("arguments"),
  };
}

function lowerPolicy(
  { model, provided, heads = new Map(), boot: files }: Lawful,
  tables: PolicyTables,
  services: Services,
): Omit<Policy, "secrets"> {
  const { storage, image } = model;
  if (image?.boot === undefined) return bug("a policy without a session that boots");
  const network = planNetwork(model.network);
  const collector = readCollectorScope(model.network);
  const upstream = planUpstream(model, services, files);
  const machine = image.machine?.text === "pc" ? "pc" : "vm";
  return {
    tables,
    services: sortByName(model.services).map((service) => planService(service, provided, services)),
    // `planBackend` returns no plan for a backend that a build refuses.
    backends: sortByName(model.backends).flatMap((backend) => planBackend(backend, heads)),
    embedders: findUsedEmbedders(model).flatMap((weights) => planEmbedder(weights, heads)),
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
      target: TARGETS.find((target) => target === image.target?.text) ?? "linux",
      ...(upstream === undefined ? {} : { upstream }),
      machine,
      // The console of a PC is its screen and keyboard. The console of a virtual machine is its serial port, which the
      // host reads.
      console: image.console ?? (machine === "pc" ? "screen" : "serial"),
      // If the page states no firmware, the image supports both kinds. A sealed image supports only UEFI, because BIOS
      // cannot verify it.
      firmware: image.firmware ?? (image.trust === "sealed" ? ["uefi"] : ["bios", "uefi"]),
      trust: image.trust ?? "media",
      memoryBytes: getMachineMemory(image),
      boot: image.boot.id,
    },
  };
}

/** Returns the embedders that conversations of some session use, sorted by name. */
function findUsedEmbedders(model: Model): readonly Weights[] {
  return sortByName([
    ...new Set(selectRowSessions(model).flatMap((session) => findFirstUnasked(session)?.backend.embedder ?? [])),
  ]);
}

function collectOrigins(model: Model): Omit<Origins, "rules"> {
  return {
    sessions: new Map(model.sessions.map((session) => [session.id, session.node.name.span])),
    services: new Map(model.services.map((service) => [service.name, service.node.name.span])),
    backends: new Map(model.backends.map((backend) => [backend.name, backend.span])),
    principals: new Map(model.principals.map((principal) => [principal.name, principal.node.name.span])),
  };
}

function encodeCategories(model: Model): Category[] {
  const sorted = sortByName(model.categories);
  const at = indexBy(sorted.map(({ name }) => name));
  return sorted.map(({ name, parent }) => ({
    name,
    parent: parent === undefined ? ROOT : (at.get(parent.name) ?? ROOT),
  }));
}

function encodeTool(
  { name, service, method }: Tool,
  category: number,
  { result, sink }: ToolLabels,
): Omit<WireTool, "servers" | "methodDenied"> {
  const { description } = method;
  return {
    name,
    description: method.words,
    interfaceId: service.interface.description.id,
    interfaceName: service.interface.name,
    method: description.ordinal,
    methodName: description.name,
    category,
    readOnly: isWithin(method.category, "readOnly"),
    provider: service.name,
    paramSchema: description.paramSchema,
    params: description.params,
    result,
    sink,
    networked: service.networked,
    redact: method.redact,
    truncateBytes: method.truncateBytes,
    pageProgram: service.exec !== undefined,
    strong: listStrong(service, method),
    layout: description.layout ?? NO_LAYOUT,
  };
}

/** Returns the servers of the tool's network grant; none if the image's network process does not provide the tool. */
function encodeReach({ service, method }: Tool, provided: Providers): Pick<WireTool, "servers" | "methodDenied"> {
  if (service.exec !== undefined || provided.get(service.interface.name) !== "egress") return NO_REACH;
  const { places, methods } = readServiceScope(service);
  return {
    servers: places.map(({ scheme, host, port, path }) => ({ scheme, host, port, path })),
    methodDenied: !methods.some((name) => name === method.name.toUpperCase()),
  };
}

const NO_REACH = { servers: [], methodDenied: false };

const NO_LAYOUT = { dataWords: 0, pointers: 0, places: [] };

const NONE: readonly string[] = [];

/** Returns the strong fields of the method's results, in code-unit order. */
function listStrong({ strong }: Tool["service"], { name }: Tool["method"]): readonly string[] {
  if (strong.length === 0) return NONE;
  return strong.flatMap(({ method, field }) => (method === name ? [field] : [])).sort(compareCodeUnits);
}

function indexBy(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name, index) => [name, index]));
}
