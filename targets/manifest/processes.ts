// Plans the processes of an image and their grants. Only grants that the tables need are made. For example, a session's gate gets a grant
// of a service only if a rule lets one of the service's tools run.

import { IMPLEMENTATIONS, ROLES } from "../../engine/lib/roles/index.ts";
import { TextEmbedder } from "../../engine/lib/wire/generated/capos.ts";
import { SyslogExit } from "../../engine/lib/wire/generated/egress.ts";
import type { FileGrant, Process } from "../../engine/lib/wire/generated/manifest.ts";
import { HttpEndpoint } from "../../engine/lib/wire/generated/tools.ts";
import { AuditLog, Supervisor } from "../../engine/lib/wire/generated/wire.ts";
import { computeDiskBound } from "../contract/disk-size.ts";
import type { Origins, Policy, ServicePlan } from "../contract/policy.ts";
import { isSyslog } from "../contract/scope.ts";
import { findEmbedder, listUsedBackends } from "./backends.ts";
import { type Draft, type GrantRequest, INIT, placeIn, TABLES } from "./draft.ts";
import { COLLECTOR, draftEgress, EGRESS } from "./egress.ts";
import { deriveLocalId, draftEmbedder, draftModel, type ModelIdentities, nameEmbedder } from "./model.ts";
import { draftNative, draftOwn } from "./own.ts";
import { checkDraft, startOf } from "./roles.ts";
import { draftSession, grantService, grantSession, listSessionNames } from "./session.ts";

/** Value of `stateMaxBytes` for a process that limits its directory itself, or that has no directory. */
const NO_LIMIT = 0n;

/**
 * Uid of the first process; each further process gets the next uid, in the order of start. The uids are higher than the uids of system
 * users.
 */
const FIRST_UID = 2000;

/**
 * Returns the processes in start order: audit, broker, egress, services, models, embedders, conversations if a model
 * answers, console. If the audit has a collector, egress comes first. After these processes come the gate and the loop
 * of each session, beginning with the boot session. Providers come before their holders, with two exceptions: the
 * console has grants of the gates' sessions, and executors of plans have a grant of a gate.
 */
export function planProcesses(policy: Policy, origins: Origins, weights?: ModelIdentities): readonly Process[] {
  const sessions = listSessionNames(policy);
  const served = policy.services.map((service) => grantService(service, origins));
  const boot = placeIn(origins.sessions, policy.image.boot);
  const drafts = [
    // If audit records are sent to a collector, egress comes first, because the audit process has a grant of an endpoint of egress.
    ...(policy.collector === undefined ? [] : draftEgress(policy)),
    draftAudit(policy, boot),
    draftBroker(policy, boot),
    ...(policy.collector === undefined ? draftEgress(policy) : []),
    ...orderByStart(policy.services).flatMap((service) => draftService(service, policy, origins)),
    ...listUsedBackends(policy).map((backend) => draftModel(backend, weights, origins)),
    ...policy.embedders.map((embedder) => draftEmbedder(embedder, weights)),
    ...(listUsedBackends(policy).length > 0 ? [draftConversations(policy, sessions, origins, weights)] : []),
    draftConsole(
      sessions.map((session) => grantSession(session, origins)),
      boot,
      policy.tables.rows.some(({ login }) => login === "passphrase") ? "derived" : "none",
    ),
    ...sessions.flatMap((session) => draftSession(policy, session, { origins, weights, served })),
  ];
  return numberProcesses(drafts, policy.services);
}

/** Drafts the audit process. The process also runs without a data disk, and in this case reports that its records are not durable. */
function draftAudit({ storage, collector }: Policy, origin: string): Draft {
  const log: FileGrant = { name: "log", which: "partition" };
  const files = storage === undefined ? [TABLES] : [TABLES, log];
  const [place] = collector?.places ?? [];
  if (place === undefined) return { name: "audit", role: "audit", grants: [], files };
  const interfaceId = isSyslog(place) ? SyslogExit.id : HttpEndpoint.id;
  const outside = { name: COLLECTOR, interfaceId, provider: EGRESS, origin };
  return { name: "audit", role: "audit", arguments: ["--collector", place.path], grants: [outside], files };
}

/** Drafts the broker. Without a data disk its counters are not durable, and it reports this when a quota needs durable counters. */
function draftBroker({ storage }: Policy, origin: string): Draft {
  const audit = { name: "audit", interfaceId: AuditLog.id, provider: "audit", origin };
  const data: FileGrant = { name: "data", which: "directory", directory: "broker" };
  return { name: "broker", role: "broker", grants: [audit], files: storage === undefined ? [TABLES] : [TABLES, data] };
}

/**
 * Drafts the store of conversations. Without a data disk the store keeps conversations in memory, and reports this. The arguments of the
 * process name the embedder of each session and the digest of its weights.
 */
function draftConversations(
  policy: Policy,
  sessions: readonly string[],
  origins: Origins,
  weights: ModelIdentities,
): Draft {
  const data: FileGrant = { name: "data", which: "directory", directory: "conversations" };
  const words = sessions.flatMap((session) => {
    const embedder = findEmbedder(policy, session);
    if (embedder === undefined) return [];
    return ["--embeds", session, "--by", nameEmbedder(embedder.model), "--model", deriveLocalId(embedder, weights)];
  });
  const kept = policy.storage === undefined ? { words: ["--memory"], files: [] } : { words: [], files: [data] };
  return {
    name: "conversations",
    role: "conversations",
    ...(words.length + kept.words.length === 0 ? {} : { arguments: [...kept.words, ...words] }),
    grants: policy.embedders.flatMap(({ model }) => {
      const name = nameEmbedder(model);
      const origin = findEmbedderOrigin(policy, model.name, origins);
      return { name, interfaceId: TextEmbedder.id, provider: name, origin };
    }),
    files: kept.files,
  };
}

/** Returns the position on the page of the first backend that names the embedder. */
function findEmbedderOrigin({ tables }: Policy, embedder: string, origins: Origins): string {
  const backend = tables.backends.find((one) => one.embedder === embedder);
  return placeIn(origins.backends, backend?.name ?? "");
}

/**
 * Returns the services in their order, except that granted services come before their holders. Cycles cannot occur,
 * because the compiler refuses them.
 */
function orderByStart(services: readonly ServicePlan[]): readonly ServicePlan[] {
  const waiting = new Map(services.map((service) => [service.name, service]));
  const ordered: ServicePlan[] = [];
  const place = ({ name, holds = [] }: ServicePlan): void => {
    const service = waiting.get(name);
    if (service === undefined) return;
    waiting.delete(name);
    for (const held of holds) {
      const before = waiting.get(held.name);
      if (before !== undefined) place(before);
    }
    ordered.push(service);
  };
  for (const service of services) place(service);
  return ordered;
}

/** Returns one argument for each holder with restricted access: the holder and its folders, with URL-encoded names. */
function renderWithinArguments({ within = [] }: ServicePlan): readonly string[] {
  const encodeFolder = (folder: string) => folder.split("/").map(encodeURIComponent).join("/");
  return within.map(({ holder, folders }) => `--within=${holder}=${folders.map(encodeFolder).join(":")}`);
}

/** Drafts the process of a service. Returns an empty list for a service on the network, which is an endpoint of the egress process. */
function draftService(service: ServicePlan, policy: Policy, origins: Origins): readonly Draft[] {
  const { name, implementation } = service;
  const { process, program } = IMPLEMENTATIONS[implementation];
  if (process === "shared") return [];
  const origin = placeIn(origins.services, name);
  switch (program) {
    case "module":
      return [draftOwn(service, policy, origin)];
    case "static":
      return [draftNative(service)];
    case "image":
      return [planImageProgram(service, origin)];
  }
}

/**
 * Drafts the process of a program of the image. Its directory has the name of the service. If its role uses init, the process gets a grant
 * of Supervisor.
 */
function planImageProgram(service: ServicePlan, origin: string): Draft {
  const { name, implementation, stateBytes } = service;
  const { role, keeps, words = [] } = IMPLEMENTATIONS[implementation];
  const grants = ROLES[role].asksInit.length === 0 ? [] : [grantSupervision(origin)];
  if (keeps !== "directory") return { name, role, arguments: words, grants, files: [] };
  const files: readonly FileGrant[] = [{ name: "data", which: "directory", directory: name }];
  return {
    name,
    role,
    arguments: [...words, "--state-bytes", String(stateBytes), ...renderWithinArguments(service)],
    grants,
    files,
  };
}

/** Memory in bytes of a console with logins by passphrase: argon2id takes 19 MiB in addition to the usual limit of 16 MiB. */
const CONSOLE_THAT_DERIVES = BigInt(40 * 1024 * 1024);

function draftConsole(sessions: readonly GrantRequest[], origin: string, passphrases: "derived" | "none"): Draft {
  const grants = [...sessions, grantSupervision(origin)];
  const draft: Draft = { name: "console", role: "console", grants, files: [{ name: "terminal", which: "terminal" }] };
  return passphrases === "derived" ? { ...draft, memoryMaxBytes: CONSOLE_THAT_DERIVES } : draft;
}

function grantSupervision(origin: string): GrantRequest {
  return { name: "supervisor", interfaceId: Supervisor.id, provider: INIT, origin };
}

function numberProcesses(drafts: readonly Draft[], services: readonly ServicePlan[]): readonly Process[] {
  let badge = 0n;
  const plans = new Map(services.map((service) => [service.name, service]));
  const held = new Map<string, number>();
  for (const { grants } of drafts)
    grants.forEach(({ provider }) => {
      held.set(provider, (held.get(provider) ?? 0) + 1);
    });
  const computeDiskLimit = (name: string, files: readonly FileGrant[]): bigint => {
    const plan = plans.get(name);
    if (plan === undefined || !files.some(({ which }) => which === "directory")) return NO_LIMIT;
    return BigInt(computeDiskBound(plan, held.get(name) ?? 0));
  };
  for (const draft of drafts) checkDraft(draft);
  return drafts.map(({ name, role, arguments: own, exec, memoryMaxBytes, grants, files }, index) => ({
    name,
    role,
    uid: FIRST_UID + index,
    ...startOf(role, own, exec),
    ...(memoryMaxBytes === undefined ? {} : { memoryMaxBytes }),
    grants: grants.map(({ name, interfaceId, provider, origin, expiresAfterSeconds = 0 }) => {
      badge += 1n;
      return { name, interfaceId, provider, badge, expiresAfterSeconds, origin };
    }),
    files,
    stateMaxBytes: computeDiskLimit(name, files),
  }));
}
