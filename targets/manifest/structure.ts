// Three of the assertions that every system inherits are about the structure of its processes, and not about lines of the page. This module
// checks them on the graph of processes that the manifest signs, and uses no code of the planner.

import {
  isRole,
  listRoles,
  ROLE_NAMES,
  ROLES,
  type Role,
  type RuntimeInterface,
} from "../../engine/lib/roles/index.ts";
import { getInterfaceId } from "../../engine/lib/roles/interfaces.ts";
import { HttpExchange, SyslogExit } from "../../engine/lib/wire/generated/egress.ts";
import type { FileGrant, Grant, Process } from "../../engine/lib/wire/generated/manifest.ts";
import { PlanGate } from "../../engine/lib/wire/generated/service.ts";
import { HttpEndpoint } from "../../engine/lib/wire/generated/tools.ts";
import { AuditLog, Session, Supervisor, ToolProxy } from "../../engine/lib/wire/generated/wire.ts";
import { INIT } from "./draft.ts";

/** Result of checking one of three assertions about the processes of an image, such as "models are isolated". */
export interface StructuralProof {
  readonly assertion: "audited" | "model-isolated" | "no-self-widening";
  /** Proved claim, with the reason. */
  readonly sentence: string;
  /** Violations, one sentence for each; empty if the assertion is proved. */
  readonly broken: readonly string[];
}

/**
 * Checks the three assertions about the processes of an image. The results are in code-unit order of the assertions'
 * names.
 */
export function proveStructure(processes: readonly Process[]): readonly StructuralProof[] {
  const graph = buildGraph(processes);
  return [proveAudited(graph), proveModelIsolation(graph), proveNoSelfWidening(graph)];
}

interface Graph {
  readonly processes: readonly Process[];
  /** Role of a process by its name; init counts as a separate role. */
  readonly role: (name: string) => string;
  readonly of: (role: string) => readonly Process[];
  /**
   * Processes that serve tools. A process is one of them if its role serves tools, or if its role is not a role of the
   * runtime.
   */
  readonly services: readonly Process[];
}

/** Roles that serve tools, including those with the network. */
const ANSWERING: readonly string[] = listRoles("outside", "service");

function buildGraph(processes: readonly Process[]): Graph {
  const roles = new Map(processes.map(({ name, role }) => [name, role]));
  return {
    processes,
    role: (name) => (name === INIT ? INIT : (roles.get(name) ?? "nobody")),
    of: (role) => processes.filter((one) => one.role === role),
    services: processes.filter(({ role }) => !isRole(role) || ANSWERING.includes(role)),
  };
}

/**
 * Capabilities that a role may have. Each is stated as an interface, and as the role of the process that must serve it.
 */
type Allowed = readonly (readonly [interfaceId: bigint, role: string])[];

/**
 * Returns each interface with each role that serves it. The constants below name interfaces; the table of roles states which roles serve
 * them.
 */
function listServed(...interfaces: readonly RuntimeInterface[]): Allowed {
  return interfaces.flatMap((one) =>
    ROLE_NAMES.filter((role) => ROLES[role].serves.includes(one)).map((role) => [getInterfaceId(one), role] as const),
  );
}

const LOOP = listServed("ConversationLog", "Terminal", "ToolProxy", "LanguageModel");
const GATE: Allowed = [
  ...listServed("AuditLog", "Broker", "Approval", "ConversationStore", "Metering"),
  [Supervisor.id, INIT],
];
/** Capabilities that the store of conversations may have: embedders, which compute the vectors of messages. */
const STORE = listServed("TextEmbedder");
/** Capabilities that a remote model may have: one address of the page. */
const REMOTE = listServed("HttpExchange");
const SERVICE: Allowed = [[Supervisor.id, INIT]];
/**
 * The role of modules of the page or the library. Only processes of this role may have grants of services, if the page
 * grants them.
 */
const HOLDER: Role = "own";
/**
 * Capabilities of the executor of plans. The executor proposes calls to a gate as a loop does, and has no other
 * capability, because the gate decides each action.
 */
const PLANS = listServed("PlanGate");
/** The role of remote models; all other models have no capabilities. */
const REMOTE_MODEL: Role = "model-remote";
const MODELS = listRoles("backend");

/** Roles that keep the log, the counts or the terminal. These roles cannot reach tools, models or conversations, and propose no calls. */
const KEEPERS: readonly (readonly [Role, Allowed])[] = [
  ["audit", listServed("HttpEndpoint", "SyslogExit")],
  ["broker", listServed("AuditLog")],
  ["console", [...listServed("Session"), [Supervisor.id, INIT]]],
];

/** The key that opens the page's sealed secrets; only the process with the network may have it. */
const OPENER: { readonly key: string; readonly role: Role } = { key: "secrets", role: "egress" };

/**
 * Returns the number of granted keys, and a sentence for each wrong grant of a key. Only the first grant can be right, and only if `OPENER`
 * names its key and the role of its process.
 */
function findMisplacedKeys({ processes }: Graph): { readonly holders: number; readonly broken: readonly string[] } {
  const held = processes.flatMap(({ name, role, files }) =>
    files.flatMap((file) => (file.which === "key" ? [{ name, role, key: file.key }] : [])),
  );
  const [first] = held;
  const broken = held
    .filter((one) => one !== first || one.role !== OPENER.role || one.key !== OPENER.key)
    .map(({ name, key }) => `${name} is handed the key ${key}`);
  return { holders: held.length, broken };
}

/** Returns a sentence for each grant that is not allowed. */
function findExcessGrants({ role }: Graph, { name, grants }: Process, allowed: Allowed): string[] {
  const isAllowed = (grant: Grant): boolean =>
    allowed.some(([id, serves]) => grant.interfaceId === id && role(grant.provider) === serves);
  return grants.filter((grant) => !isAllowed(grant)).map((grant) => `${name} holds ${grant.name} of ${grant.provider}`);
}

/** Kinds of files that a process can read and no process can write. */
const READ_ONLY: ReadonlySet<FileGrant["which"]> = new Set(["blob", "states", "weights"]);

function proveModelIsolation(graph: Graph): StructuralProof {
  const [local, remote, loops] = [
    MODELS.filter((role) => role !== REMOTE_MODEL).flatMap(graph.of),
    graph.of(REMOTE_MODEL),
    graph.of("loop"),
  ];
  const models = [...local, ...remote];
  const files = [...models, ...loops].flatMap(({ name, files: held }) =>
    held.filter(({ which }) => !READ_ONLY.has(which)).map((file) => `${name} is handed ${file.name}`),
  );
  const crossed = loops.flatMap(({ name, grants }) => {
    const own = `gate.${name.slice(name.indexOf(".") + 1)}`;
    return grants
      .filter(({ interfaceId, provider }) => interfaceId === ToolProxy.id && provider !== own)
      .map(({ provider }) => `${name} proposes to ${provider}, the gate of another session`);
  });
  const held =
    remote.length === 0
      ? "no capability"
      : `no capability, except that each remote model (${remote.length}) has one address of the page`;
  return {
    assertion: "model-isolated",
    sentence: `Models (${models.length}) only answer. They have no directory, no terminal and ${held}. Loops (${loops.length}), which read the answers of models, each have a screen, a model and the gate of one session, and no tool.`,
    broken: [
      ...local.flatMap((model) => findExcessGrants(graph, model, [])),
      ...remote.flatMap((model) => findExcessGrants(graph, model, REMOTE)),
      ...remote.filter(({ grants }) => grants.length > 1).map(({ name }) => `${name} holds more than one address`),
      ...loops.flatMap((loop) => findExcessGrants(graph, loop, LOOP)),
      ...graph.of("conversations").flatMap((store) => findExcessGrants(graph, store, STORE)),
      ...crossed,
      ...files,
    ],
  };
}

function proveNoSelfWidening(graph: Graph): StructuralProof {
  const { processes, services, of } = graph;
  const listStores = ({ files }: Process) => files.flatMap(storeOf);
  const shared = services.flatMap((service) =>
    processes
      .filter((other) => other !== service && listStores(other).some((store) => listStores(service).includes(store)))
      .map((other) => `${service.name} can write what ${other.name} reads`),
  );
  const gates = of("gate");
  const served = [...GATE, ...gates.flatMap((gate) => listToolGrants(graph, gate))];
  const keys = findMisplacedKeys(graph);
  const sealed = keys.holders === 0 ? "" : " Only egress has the key of the sealed secrets.";
  const planned = services.filter(({ grants }) => grants.some(isPlans)).length;
  const ways =
    planned === 0
      ? ""
      : ` (except that each executor of plans, ${planned}, proposes calls to one gate, which decides them)`;
  const commanded = processes
    .filter(({ role, grants }) => role !== "console" && grants.some(({ interfaceId }) => interfaceId === Session.id))
    .map(({ name }) => `${name} can give a person's commands`);
  return {
    assertion: "no-self-widening",
    sentence: `Services (${services.length}) have no connection to gates${ways}, broker, console or audit, and no directory or partition of another process. The policy tables are a sealed artefact. Only the console can begin tasks and phases.${sealed}`,
    broken: [
      ...services.flatMap((service) =>
        findExcessGrants(graph, service, service.role === HOLDER ? listAllowedGrants(graph, service) : SERVICE),
      ),
      ...findSharedPlanGates(graph),
      ...gates.flatMap((gate) => findExcessGrants(graph, gate, served)),
      ...KEEPERS.flatMap(([role, allowed]) => of(role).flatMap((keeper) => findExcessGrants(graph, keeper, allowed))),
      ...shared,
      ...commanded,
      ...keys.broken,
    ],
  };
}

/**
 * Returns the directory or partition to which a process can write with this grant of a file, as a list of one name.
 * Returns an empty list if the grant does not allow writing.
 */
function storeOf(file: FileGrant): readonly string[] {
  switch (file.which) {
    case "directory":
      return [`/${file.directory}`];
    case "partition":
      return ["partition"];
    case "blob":
    case "key":
    case "states":
    case "terminal":
    case "weights":
      return [];
  }
}

/** Returns the grants that a module may have: services, or one gate. */
function listAllowedGrants(graph: Graph, service: Process): Allowed {
  return service.grants.some(isPlans) ? PLANS : listToolGrants(graph, service);
}

const isPlans = ({ interfaceId }: Grant) => interfaceId === PlanGate.id;

/**
 * Returns a sentence for each violation of two rules about gates that execute plans. A service that executes plans
 * proposes its calls to a gate. No loop and no second service may propose calls to this gate. The service may have a
 * grant of only this gate.
 */
function findSharedPlanGates({ processes }: Graph): string[] {
  const proposing = processes.flatMap(({ name, grants }) =>
    grants
      .filter((grant) => isPlans(grant) || grant.interfaceId === ToolProxy.id)
      .map((grant) => ({ name, gate: grant.provider, grant })),
  );
  const several = processes
    .filter(({ grants }) => grants.filter(isPlans).length > 1)
    .map(({ name }) => `${name} proposes to more than one gate`);
  const beside = proposing
    .filter(({ grant, gate }) => isPlans(grant) && proposing.filter((one) => one.gate === gate).length > 1)
    .map(({ name, gate }) => `${name} proposes to ${gate}, and is not the only one`);
  return [...several, ...beside];
}

/** Returns the grants of services, whose methods are tools. */
function listToolGrants({ services }: Graph, holder: Process): Allowed {
  const names = new Map(services.map(({ name, role }) => [name, role]));
  return holder.grants.flatMap(({ interfaceId, provider }) => {
    const role = names.get(provider);
    return role === undefined || interfaceId === Supervisor.id ? [] : [[interfaceId, role] as const];
  });
}

function proveAudited(graph: Graph): StructuralProof {
  const gates = graph.of("gate");
  const [log, ...others] = graph.of("audit");
  const unheard = gates.filter((gate) => !gate.grants.some((grant) => isLog(grant, log)));
  const names = new Set(graph.services.map(({ name }) => name));
  const sending = graph.of("audit").flatMap(({ grants }) => grants.filter((grant) => isCollector(graph, grant)));
  const around = graph.processes
    .filter(({ role }) => role !== "gate" && role !== HOLDER)
    .flatMap(({ name, grants }) =>
      grants
        .filter(({ provider, interfaceId }) => names.has(provider) && interfaceId !== HttpExchange.id)
        .filter((grant) => grant !== sending[0])
        .map((grant) => `${name} calls ${grant.provider} by itself`),
    );
  const held = graph
    .of(HOLDER)
    .flatMap(({ name, grants }) =>
      grants.filter(({ provider }) => names.has(provider)).map((grant) => `${name} ${grant.name}`),
    );
  const callers =
    held.length === 0
      ? "only gates call tools"
      : "only gates, and services to which the page grants other services, call tools";
  const unseen = held.length === 0 ? "" : ` Calls between services (${held.join(", ")}) have no records of their own.`;
  const durable = log?.files.some(({ which }) => which === "partition") === true;
  const where = durable
    ? "The log is on the data disk"
    : "There is no data disk, and the log states this; gates run only automatic calls that read";
  return {
    assertion: "audited",
    sentence: `Each gate (${gates.length}) writes to the audit log, and ${callers}.${unseen} ${where}.${sending.length === 0 ? "" : SENDS}`,
    broken: [
      ...(log === undefined ? ["there is no audit"] : []),
      ...others.map(({ name }) => `${name} is a second audit`),
      ...unheard.map(({ name }) => `${name} does not hold the audit log`),
      ...around,
    ],
  };
}

const SENDS =
  " The audit sends records to one address of the page: names from the page, outcomes, counts and times, but no text of conversations.";

/** Returns whether a grant can send the audit's records to a collector: a grant of an endpoint of egress. */
function isCollector({ role }: Graph, { interfaceId, provider }: Grant): boolean {
  return (interfaceId === HttpEndpoint.id || interfaceId === SyslogExit.id) && role(provider) === "egress";
}

function isLog({ interfaceId, provider }: Grant, log: Process | undefined): boolean {
  return interfaceId === AuditLog.id && provider === log?.name;
}
