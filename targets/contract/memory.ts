// Computes what the processes of an image need: memory, descriptors, and entries of the manifest. init starts the
// processes that `targets/manifest` plans; a test compares these counts with that plan. If the machine were too small,
// the kernel would kill a process in the middle of the start.

import { asksForSources } from "../../engine/lib/provenance/index.ts";
import { IMPLEMENTATIONS, isRole, isStatic, ROLES, type Role } from "../../engine/lib/roles/index.ts";
import type { Decision, PolicyTables, Row } from "../../engine/lib/wire/generated/policy.ts";
import type { BackendPlan, ImagePlan, Policy, ServicePlan } from "./policy.ts";

const MIB = 1024 * 1024;

/** Bytes of memory of a machine if the page states no memory; `capc run` uses the same value. */
const MACHINE_MEMORY: number = 512 * MIB;

/** Returns the bytes of memory that the machine of a page has. */
export function getMachineMemory(
  image: { readonly memory: { readonly bytes: bigint } | undefined } | undefined,
): number {
  return Number(image?.memory?.bytes ?? MACHINE_MEMORY);
}

/**
 * Memory of the kernel, of init, and of content of the medium that processes share: Node, its libraries, sealed
 * artefacts. Measured with ten and with forty processes, at 512 MiB and at 1 GiB, with large pages off. The result was
 * 85 MiB, and 12.6 MiB more for each Node process; memory that can be read again from the medium is not counted.
 */
export const MACHINE_BYTES: number = 136 * MIB;
/** The kernel uses a sixteenth of the memory above 512 MiB for itself. */
const KERNELS_PART = 16;
/** Memory of the console while it derives a key from a passphrase. */
const DERIVING_BYTES = 20 * MIB;
/**
 * Memory of a local model's process without Node and the weights: the state of one conversation, and space for the
 * computation.
 */
const ENGINE_BYTES = 64 * MIB;
/**
 * Memory of a gate with a full index of sources. Measured with the flags of its process: the heap takes 4.5 MiB, or 10 MiB
 * together with the texts that the gate splits into words for the index.
 */
const SOURCES_BYTES = 10 * MIB;

/** Number of descriptors that a Node process opens itself: those of Node, and those that it needs for a call. */
const NODE_DESCRIPTORS = 64;
/**
 * Number of descriptors that a process without Node opens itself: the standard streams, the channel to init, and a few
 * files.
 */
const PLAIN_DESCRIPTORS = 16;
/** Maximum open descriptors of a process: `openFiles` of engine/image/jails, the same number for all roles. */
export const MOST_DESCRIPTORS = 512;
/** Maximum open descriptors of init: engine/image/init/src/boot/room.rs. */
export const INIT_DESCRIPTORS = 65_536;
/**
 * Numbers of descriptors that init has open: for each connection, for each process, and for itself. Init holds both
 * ends of a connection until both processes have received them.
 */
const [INIT_PER_GRANT, INIT_PER_PROCESS, INIT_OWN] = [3, 3, 64];
/** Maximum entries of a list in the manifest: engine/image/init/src/manifest.rs. */
export const MOST_ENTRIES = 1024;

export interface MemoryShare {
  readonly name: string;
  readonly role: Role;
  readonly memoryBytes: number;
  /**
   * Number of descriptors that init gives the process: one for each connection that it holds or serves, and for each
   * file.
   */
  readonly given: number;
  /** Number of descriptors that the process itself opens, in addition to those that init gives it. */
  readonly own: number;
}

export interface Needs {
  /** Processes, in an arbitrary order. */
  readonly processes: readonly MemoryShare[];
  /** Bytes of memory that a machine must have for all processes, the kernel and init. */
  readonly memoryBytes: number;
  /** Number of descriptors that init has open. */
  readonly descriptors: number;
  readonly artefacts: number;
}

type Sized = Pick<Policy, "tables" | "services" | "backends" | "embedders" | "collector" | "storage"> & {
  readonly image: Pick<ImagePlan, "boot">;
};

/** Value of FIRST_DECISION in the tables: a cell with a lower value is not the index of a decision. */
const FIRST_DECISION = 2;

export function computeNeeds(policy: Sized): Needs {
  const graph = new Graph();
  const { tables, services } = policy;
  const sessions = [...new Set(tables.rows.map(({ session }) => session))];
  const backends = listUsedBackends(policy);
  const { endpoints, secrets } = countReached(policy, backends);
  graph.add("audit", "audit", policy.storage === undefined ? 1 : 2);
  graph.add("broker", "broker", 1);
  graph.hold("broker", "audit");
  // Init itself records events in the audit log, so it has a connection to the audit process.
  graph.hold("init", "audit");
  if (endpoints > 0) graph.add("egress", "egress", secrets ? 2 : 1);
  if (policy.collector !== undefined) graph.hold("audit", "egress");
  for (const service of services) addService(graph, service);
  for (const name of backends) addBackend(graph, name, policy);
  for (const { model, memoryBytes } of policy.embedders)
    graph.add(`embedder.${model.name}`, "model-local", 1, computeLocalBytes(memoryBytes, model.bytes));
  if (backends.length > 0) {
    graph.add("conversations", "conversations", 0);
    for (const { model } of policy.embedders) graph.hold("conversations", `embedder.${model.name}`);
  }
  const derives = tables.rows.some(({ login }) => login === "passphrase");
  graph.add("console", "console", 0, ROLES.console.memory.usual + (derives ? DERIVING_BYTES : 0));
  graph.hold("console", "init");
  for (const session of sessions) addSession(graph, session, policy);
  const holders = services.filter(({ holds = [] }) => holds.length > 0);
  const plans = new Map(holders.length === 0 ? [] : services.map((service) => [service.name, service]));
  for (const { name, holds = [] } of holders)
    for (const held of holds) {
      const plan = plans.get(held.name);
      if (plan !== undefined) graph.hold(name, getProvider(plan));
    }
  for (const { name, session } of services) if (session !== undefined) graph.hold(name, `gate.${session}`);
  const processes = graph.listProcesses();
  return {
    processes,
    memoryBytes: addKernelMemory(processes.reduce((sum, { memoryBytes }) => sum + memoryBytes, MACHINE_BYTES)),
    descriptors: initDescriptors(processes.length, graph.grants),
    artefacts: countArtefacts(policy, backends),
  };
}

/** Returns how many descriptors init has open while it starts this number of processes with this number of connections (`grants`). */
export function initDescriptors(processes: number, grants: number): number {
  return INIT_OWN + INIT_PER_PROCESS * processes + INIT_PER_GRANT * grants;
}

/** Returns how many descriptors a process opens beside those that init gives it. */
export function countOwnDescriptors(role: string): number {
  return isRole(role) && isStatic(role) ? PLAIN_DESCRIPTORS : NODE_DESCRIPTORS;
}

/** Returns the bytes of memory that a machine needs so that `bytes` remain after the kernel's part. */
function addKernelMemory(bytes: number): number {
  const more = Math.max(0, bytes - MACHINE_MEMORY);
  return bytes + Math.ceil(more / (KERNELS_PART - 1));
}

class Graph {
  readonly #known = new Map<string, { role: Role; memoryBytes: number; given: number }>();
  grants = 0;

  add(name: string, role: Role, files: number, memoryBytes = ROLES[role].memory.usual): void {
    this.#known.set(name, { role, memoryBytes, given: files });
    if (ROLES[role].kind === "service" && ROLES[role].asksInit.length > 0) this.hold(name, "init");
  }

  /**
   * Adds a connection: one descriptor for the holder and one for the provider. Init has no entry in this count, so its end of the
   * connection is not counted.
   */
  hold(holder: string, provider: string): void {
    this.grants += 1;
    this.#give(holder);
    this.#give(provider);
  }

  #give(name: string): void {
    const process = this.#known.get(name);
    if (process !== undefined) process.given += 1;
  }

  listProcesses(): readonly MemoryShare[] {
    return [...this.#known].map(([name, { role, memoryBytes, given }]) => {
      return { name, role, memoryBytes, given, own: countOwnDescriptors(role) };
    });
  }
}

function addService(graph: Graph, { name, implementation }: ServicePlan): void {
  const { role, process, program } = IMPLEMENTATIONS[implementation];
  // A module has two files: the program, and the types of its methods.
  if (process === "each") graph.add(name, role, program === "module" ? 2 : 0);
}

/**
 * Adds a backend's process. If a page is only checked, the weights of a model may not have been read. Then the backend of the model has no
 * plan, and its memory is counted without weights.
 */
function addBackend(graph: Graph, backend: string, { backends, tables }: Sized): void {
  const plan = backends.find(({ name }) => name === backend);
  const kind = tables.backends.find(({ name }) => name === backend)?.kind;
  const name = `model.${backend}`;
  if (kind === "cpu") {
    const bytes =
      plan?.kind === "cpu" ? computeLocalBytes(plan.memoryBytes, plan.model.bytes) : computeLocalBytes(Infinity, 0);
    graph.add(name, "model-local", 2, bytes);
  } else if (kind === "remote") {
    graph.add(name, "model-remote", 0);
    graph.hold(name, "egress");
  } else graph.add(name, "model", 1);
}

/**
 * Returns the memory of a local model, at most `most`. This maximum may be less than the weights take, because weights
 * are read again from the medium if memory is short.
 */
function computeLocalBytes(most: number, weights: number): number {
  return Math.min(most, ROLES["model-local"].memory.usual + ENGINE_BYTES + weights);
}

function addSession(graph: Graph, session: string, policy: Sized): void {
  const { tables, services } = policy;
  const rows = tables.rows.filter((row) => row.session === session);
  const answering = listBackends(tables, session);
  const gate = `gate.${session}`;
  const { isListening } = summarizeDecisions(tables.decisions);
  graph.add(gate, "gate", 1, ROLES.gate.memory.usual + (isListening ? SOURCES_BYTES : 0));
  graph.hold("console", gate);
  for (const provider of ["audit", "broker", "console", "init"]) graph.hold(gate, provider);
  const used = findUsableServices(tables, rows);
  services.forEach((service) => {
    if (used.has(service.name)) graph.hold(gate, getProvider(service));
  });
  for (const name of answering) graph.hold(gate, `model.${name}`);
  if (answering.length === 0) return;
  const loop = `loop.${session}`;
  graph.add(loop, "loop", 0);
  for (const provider of ["console", gate, ...answering.map((name) => `model.${name}`)]) graph.hold(loop, provider);
  for (const holder of [gate, loop]) graph.hold(holder, "conversations");
}

function getProvider({ name, implementation }: ServicePlan): string {
  const { role, process } = IMPLEMENTATIONS[implementation];
  return process === "shared" ? role : name;
}

/** Returns the names of all backends that may answer in a session. */
function listBackends({ rows, backends }: PolicyTables, session: string): readonly string[] {
  const row = rows.find((one) => one.session === session);
  return (row?.backends ?? []).flatMap(({ backend, mode }) => {
    const name = backends[backend]?.name;
    return mode === "forbidden" || name === undefined ? [] : [name];
  });
}

function listUsedBackends({ tables }: Sized): readonly string[] {
  return [...new Set(tables.rows.flatMap(({ session }) => listBackends(tables, session)))];
}

function countReached({ services, tables, backends, collector }: Sized, used: readonly string[]) {
  const scopes = services.flatMap(({ scope }) => (scope === undefined ? [] : [scope.secret]));
  const remote = tables.backends.filter(({ name, kind }) => kind === "remote" && used.includes(name));
  const asked = backends.flatMap((plan: BackendPlan) =>
    plan.kind === "remote" && used.includes(plan.name) ? [plan.scope.secret] : [],
  );
  const all = [...scopes, ...asked, ...(collector === undefined ? [] : [collector.secret])];
  return {
    endpoints: scopes.length + remote.length + (collector === undefined ? 0 : 1),
    secrets: all.some((secret) => secret !== ""),
  };
}

/** Returns the names of services with at least one tool that can run in at least one of the rows. */
export function findUsableServices(tables: PolicyTables, rows: PolicyTables["rows"]): ReadonlySet<string> {
  const known = USABLE.get(tables) ?? new Map<Row, ReadonlySet<string>>();
  USABLE.set(tables, known);
  const sets = rows.map((row) => {
    const found = known.get(row) ?? findUsableInRow(tables, row);
    known.set(row, found);
    return found;
  });
  const [only, ...others] = sets;
  return only !== undefined && others.length === 0 ? only : new Set(sets.flatMap((set) => [...set]));
}

/** Cache of results: the needs of a machine and the plan of its processes are computed from the same rows. */
const USABLE = new WeakMap<PolicyTables, Map<Row, ReadonlySet<string>>>();

function findUsableInRow({ tools, decisions }: PolicyTables, { cells }: Row): ReadonlySet<string> {
  const { open } = summarizeDecisions(decisions);
  const found = new Set<string>();
  let last: string | undefined;
  // A plain loop is used for speed, because a session has a cell for each tool. The tools of a service are adjacent, so
  // each service is added only once.
  for (let tool = 0; tool < cells.length; tool++) {
    if (open[(cells[tool] ?? 0) - FIRST_DECISION] !== true) continue;
    const provider = tools[tool]?.provider ?? "";
    if (provider !== last) found.add(provider);
    last = provider;
  }
  return found;
}

interface DecisionsSummary {
  /** For each decision, whether it lets at least some calls run; a decision can depend on the arguments. */
  readonly open: readonly boolean[];
  /** Whether a rule of any of the decisions has a `from` condition. */
  readonly isListening: boolean;
}

/** Cache of summaries: several thousand sessions share the same decisions. */
const SUMMARIES = new WeakMap<readonly Decision[], DecisionsSummary>();

function summarizeDecisions(decisions: readonly Decision[]): DecisionsSummary {
  const known = SUMMARIES.get(decisions);
  if (known !== undefined) return known;
  const open = decisions.map((list) => !isClosed(list));
  const summary = {
    open,
    isListening: asksForSources({ decisions }),
  };
  SUMMARIES.set(decisions, summary);
  return summary;
}

/** Returns whether a decision forbids every call, whatever its arguments. */
function isClosed({ clauses }: Decision): boolean {
  if (clauses.length === 1) return isClosedBy(clauses);
  const groups = Map.groupBy(clauses, (clause) => clause.group || clause);
  return [...groups.values()].some(isClosedBy);
}

function isClosedBy(group: Decision["clauses"]): boolean {
  return (
    group.every(({ met }) => met === "forbidden") &&
    group.some(({ conditions, otherwise }) => conditions.length === 0 || otherwise === "forbidden")
  );
}

/**
 * Returns the number of artefacts of the image: tables, the list of the image's parts and the egress table. Each
 * program adds itself and its methods, each stub its replies, and each model its card, weights and states.
 */
function countArtefacts({ services, embedders, backends }: Sized, used: readonly string[]): number {
  const programs = services.filter(({ implementation }) => IMPLEMENTATIONS[implementation].program === "module").length;
  const stubs = backends.filter(({ kind }) => kind === "stub").length;
  return 3 + 2 * programs + stubs + 4 * (used.length + embedders.length);
}

const KIB = 1024;

/** Returns a size in the largest unit that gives a whole number, as a page writes it. */
export function formatSize(bytes: number): string {
  if (bytes % MIB === 0) return `${bytes / MIB} MiB`;
  return bytes % KIB === 0 ? `${bytes / KIB} KiB` : `${bytes} B`;
}
