// Plans the two processes of a session: the gate, which can call services but no model, and the loop, which can call models but no service.

import { LanguageModel } from "../../engine/lib/wire/generated/capos.ts";
import { ConversationLog, ConversationStore } from "../../engine/lib/wire/generated/conversations.ts";
import type { Row } from "../../engine/lib/wire/generated/policy.ts";
import {
  Approval,
  AuditLog,
  Broker,
  Metering,
  Session,
  Supervisor,
  Terminal,
  ToolProxy,
} from "../../engine/lib/wire/generated/wire.ts";
import { findUsableServices } from "../contract/memory.ts";
import type { BackendPlan, Origins, Policy, ServicePlan } from "../contract/policy.ts";
import { listBackends } from "./backends.ts";
import { type Draft, type GrantRequest, INIT, placeIn, TABLES } from "./draft.ts";
import { getProvider } from "./egress.ts";
import { deriveModelId, type ModelIdentities } from "./model.ts";

/** Returns the names of the sessions: the boot session first, then the others in code-unit order. */
export function listSessionNames({ tables, image }: Policy): readonly string[] {
  const others = new Set(tables.rows.map(({ session }) => session).filter((session) => session !== image.boot));
  return [image.boot, ...[...others].sort()];
}

/**
 * Returns the grant with which the console uses the gate of a session. Through this grant the console sends the
 * person's commands, and reports the beginning of turns.
 */
export function grantSession(session: string, origins: Origins): GrantRequest {
  const origin = placeIn(origins.sessions, session);
  return { name: `session.${session}`, interfaceId: Session.id, provider: `gate.${session}`, origin };
}

/** Returns the grant with which a gate uses a service. */
export function grantService(service: ServicePlan, origins: Origins): GrantRequest {
  const { name, interfaceId } = service;
  return { name, interfaceId, provider: getProvider(service), origin: placeIn(origins.services, name) };
}

/** Values that all sessions of a policy share. */
interface Shared {
  readonly origins: Origins;
  readonly weights: ModelIdentities;
  /** The grant of each service, made once for all gates. */
  readonly served: readonly GrantRequest[];
}

/** Drafts the gate, and the loop if at least one backend may answer. */
export function draftSession(policy: Policy, session: string, { origins, weights, served }: Shared): readonly Draft[] {
  const rows = policy.tables.rows.filter((row) => row.session === session);
  const backends = listBackends(policy, rows);
  const named = backends.map((backend) => ({ name: backend.name, id: deriveModelId(backend, weights) }));
  const gate = draftGate(policy, { session, rows, backends: named, served }, origins);
  return backends.length === 0 ? [gate] : [gate, draftLoop(session, backends, origins)];
}

/** A session, its rows of the tables, and its backends. */
interface GateParts {
  readonly session: string;
  readonly rows: readonly Row[];
  readonly backends: readonly { readonly name: string; readonly id: string }[];
  readonly served: Shared["served"];
}

function draftGate(policy: Policy, { session, rows, backends, served }: GateParts, origins: Origins): Draft {
  const origin = placeIn(origins.sessions, session);
  const used = findUsableServices(policy.tables, rows);
  const services = served.filter(({ name }) => used.has(name));
  const expiresAfterSeconds = computeLoginSeconds(rows);
  const models = backends.flatMap(({ name, id }) => ["--backend", name, "--model", id]);
  return {
    name: `gate.${session}`,
    role: "gate",
    arguments: ["--session", session, ...models],
    grants: [
      { name: "audit", interfaceId: AuditLog.id, provider: "audit", origin },
      { name: "broker", interfaceId: Broker.id, provider: "broker", origin },
      { name: "console", interfaceId: Approval.id, provider: "console", origin },
      ...(backends.length === 0 ? [] : [grantConversations(ConversationStore.id, origin)]),
      ...backends.map(({ name }) => grantModel(name, Metering.id, origins)),
      { name: "supervisor", interfaceId: Supervisor.id, provider: INIT, origin },
      ...(expiresAfterSeconds === 0 ? services : services.map((grant) => ({ ...grant, expiresAfterSeconds }))),
    ],
    files: [TABLES],
  };
}

function grantConversations(interfaceId: bigint, origin: string): GrantRequest {
  return { name: "conversations", interfaceId, provider: "conversations", origin };
}

/**
 * A session without a login is open from the start of the machine. For such a session, returns the page's time per
 * login in seconds. After this time init closes the gate's connections to services, whatever the gate does. Returns 0,
 * which means no limit, for other sessions and without a time on the page.
 */
function computeLoginSeconds(rows: readonly Row[]): number {
  if (rows[0]?.login !== "none") return 0;
  return Math.ceil((rows[0]?.timeouts.loginMs ?? 0) / 1000);
}

/**
 * Returns a grant of a model. The loop calls the model with one interface. With another interface the gate issues permits for answers and
 * receives the numbers of tokens.
 */
function grantModel(backend: string, interfaceId: bigint, origins: Origins): GrantRequest {
  const name = `model.${backend}`;
  return { name, interfaceId, provider: name, origin: placeIn(origins.backends, backend) };
}

function draftLoop(session: string, backends: readonly BackendPlan[], origins: Origins): Draft {
  const origin = placeIn(origins.sessions, session);
  return {
    name: `loop.${session}`,
    role: "loop",
    grants: [
      { name: "console", interfaceId: Terminal.id, provider: "console", origin },
      grantConversations(ConversationLog.id, origin),
      { name: "gate", interfaceId: ToolProxy.id, provider: `gate.${session}`, origin },
      ...backends.map(({ name }) => grantModel(name, LanguageModel.id, origins)),
    ],
    files: [],
  };
}
