// The processes of an image and exactly what each may hold. Nothing is granted that the tables do not need: a session's
// gate holds a service only where a line of the page lets one of its tools run.
import type { Origins, Policy, ServicePlan } from "../../compiler/policy/policy.ts";
import type { FileGrant, Process } from "../../engine/wire/generated/manifest.ts";
import { AuditLog, Supervisor } from "../../engine/wire/generated/wire.ts";
import { usedBackends } from "./backends.ts";
import { type Draft, INIT, placeIn, TABLES, type Wanted } from "./draft.ts";
import { egressDrafts } from "./egress.ts";
import { type ModelWeights, modelDraft } from "./model.ts";
import { nativeDraft, ownDraft } from "./own.ts";
import { startOf } from "./roles.ts";
import { sessionDrafts, sessionGrant, sessionNames } from "./session.ts";

/** Uids follow the order of start. Above those of any system user; one for each process and for nothing else. */
const FIRST_UID = 2000;

/**
 * In start order: audit, broker, egress, services, models, conversations where a model answers, console, then gate and loop of
 * each session, the one that boots first. A provider stands before its holders, but for the console, which serves gates and
 * holds their sessions.
 */
export function processesOf(policy: Policy, origins: Origins, weights?: ModelWeights): readonly Process[] {
  const sessions = sessionNames(policy);
  const boot = placeIn(origins.sessions, policy.image.boot);
  return numbered([
    auditDraft(policy),
    brokerDraft(policy, boot),
    ...egressDrafts(policy),
    ...policy.services.flatMap((service) => serviceDrafts(service, origins)),
    ...usedBackends(policy).map((backend) => modelDraft(backend, weights, origins)),
    ...(usedBackends(policy).length > 0 ? [conversationsDraft(policy)] : []),
    consoleDraft(
      sessions.map((session) => sessionGrant(session, origins)),
      boot,
    ),
    ...sessions.flatMap((session) => sessionDrafts(policy, session, origins, weights)),
  ]);
}

/** Without a data disk it serves all the same, and says that nothing is durable. */
function auditDraft({ storage }: Policy): Draft {
  const log: FileGrant = { name: "log", which: "partition" };
  return { name: "audit", role: "audit", grants: [], files: storage === undefined ? [TABLES] : [TABLES, log] };
}

/** Without a data disk it counts nothing that outlasts a run, and says so where it is asked for. */
function brokerDraft({ storage }: Policy, origin: string): Draft {
  const audit = { name: "audit", interfaceId: AuditLog.id, provider: "audit", origin };
  const data: FileGrant = { name: "data", which: "directory", directory: "broker" };
  return { name: "broker", role: "broker", grants: [audit], files: storage === undefined ? [TABLES] : [TABLES, data] };
}

/** Without a data disk it keeps them in memory, and says so. */
function conversationsDraft({ storage }: Policy): Draft {
  const data: FileGrant = { name: "data", which: "directory", directory: "conversations" };
  const base = { name: "conversations", role: "conversations", grants: [] } as const;
  return storage === undefined ? { ...base, arguments: ["--memory"], files: [] } : { ...base, files: [data] };
}

/** One process, or none of its own: what reaches the network is an endpoint of the one process that does. */
function serviceDrafts(service: ServicePlan, origins: Origins): readonly Draft[] {
  const { name, implementation, stateBytes } = service;
  const supervisor = supervision(placeIn(origins.services, name));
  switch (implementation) {
    case "files": {
      const files: readonly FileGrant[] = [{ name: "data", which: "directory", directory: name }];
      return [{ name, role: "files", arguments: ["--state-bytes", String(stateBytes)], grants: [], files }];
    }
    case "scratch": {
      // The same program over the same kind of directory, which it empties at each start.
      const files: readonly FileGrant[] = [{ name: "data", which: "directory", directory: name }];
      const words = ["--scratch", "--state-bytes", String(stateBytes)];
      return [{ name, role: "files", arguments: words, grants: [], files }];
    }
    case "own":
      return [ownDraft(service)];
    case "own-native":
      return [nativeDraft(service)];
    case "egress":
      return [];
    case "logs":
    case "services":
    case "status":
      return [{ name, role: implementation, grants: [supervisor], files: [] }];
  }
}

function consoleDraft(sessions: readonly Wanted[], origin: string): Draft {
  const grants = [...sessions, supervision(origin)];
  return { name: "console", role: "console", grants, files: [{ name: "terminal", which: "terminal" }] };
}

function supervision(origin: string): Wanted {
  return { name: "supervisor", interfaceId: Supervisor.id, provider: INIT, origin };
}

function numbered(drafts: readonly Draft[]): readonly Process[] {
  let badge = 0n;
  return drafts.map(({ name, role, arguments: own, exec, memoryMaxBytes, grants, files }, index) => ({
    name,
    role,
    uid: FIRST_UID + index,
    ...startOf(role, own, exec),
    ...(memoryMaxBytes === undefined ? {} : { memoryMaxBytes }),
    grants: grants.map((grant) => {
      badge += 1n;
      return { expiresAfterSeconds: 0, ...grant, badge };
    }),
    files,
  }));
}
