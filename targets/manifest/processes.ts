// The processes of an image and exactly what each may hold. Nothing is granted that the tables do not need: a session's
// gate holds a service only where a line of the page lets one of its tools run.
import type { BackendPlan, Origins, Policy, ServicePlan } from "../../compiler/policy/policy.ts";
import { LanguageModel } from "../../engine/wire/generated/capos.ts";
import type { FileGrant, Grant, Process } from "../../engine/wire/generated/manifest.ts";
import type { Decision, Row } from "../../engine/wire/generated/policy.ts";
import { Approval, Session, Terminal, ToolProxy } from "../../engine/wire/generated/wire.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import { placeOf, type Span } from "../../lang/text/index.ts";
import { type Role, startOf } from "./roles.ts";

/** Uids follow the order of start. Above those of any system user; one for each process and for nothing else. */
const FIRST_UID = 2000;
/** Values of a cell below it are no decisions (policy.capnp). */
const FIRST_DECISION = 2;

interface Draft {
  readonly name: string;
  readonly role: Role;
  readonly arguments?: readonly string[];
  readonly grants: readonly Wanted[];
  readonly files: readonly FileGrant[];
}

type Wanted = Pick<Grant, "name" | "interfaceId" | "provider" | "origin">;

/**
 * In start order: services, models, console, gates, loops, each by name. A provider stands before its holders, but for the
 * console, which serves a gate and holds its session.
 */
export function processesOf(policy: Policy, origins: Origins): readonly Process[] {
  const session = policy.image.boot;
  const rows = policy.tables.rows.filter((row) => row.session === session);
  const backend = backendOf(policy, rows);
  const drafts = [
    ...policy.services.map(serviceDraft),
    ...(backend === undefined ? [] : [modelDraft(backend)]),
    consoleDraft(session, origins),
    gateDraft(policy, session, rows, origins),
    ...(backend === undefined ? [] : [loopDraft(session, backend, origins)]),
  ];
  return numbered(drafts);
}

function serviceDraft({ name, stateBytes }: ServicePlan): Draft {
  return {
    name,
    role: "files",
    arguments: ["--state-bytes", String(stateBytes)],
    grants: [],
    files: [{ name: "data", which: "directory", directory: name }],
  };
}

function modelDraft({ name }: BackendPlan): Draft {
  return {
    name: `model.${name}`,
    role: "model",
    grants: [],
    files: [{ name: "replies", which: "blob", blob: `replies.${name}` }],
  };
}

function consoleDraft(session: string, origins: Origins): Draft {
  const origin = placeIn(origins.sessions, session);
  return {
    name: "console",
    role: "console",
    grants: [{ name: "session", interfaceId: Session.id, provider: `gate.${session}`, origin }],
    files: [{ name: "terminal", which: "terminal" }],
  };
}

function gateDraft(policy: Policy, session: string, rows: readonly Row[], origins: Origins): Draft {
  const services = policy.services.filter(({ name }) => mayRun(policy, rows, name));
  return {
    name: `gate.${session}`,
    role: "gate",
    arguments: ["--session", session],
    grants: [
      { name: "console", interfaceId: Approval.id, provider: "console", origin: placeIn(origins.sessions, session) },
      ...services.map(({ name, interfaceId }) => ({
        name,
        interfaceId,
        provider: name,
        origin: placeIn(origins.services, name),
      })),
    ],
    files: [{ name: "tables", which: "blob", blob: "tables" }],
  };
}

function loopDraft(session: string, backend: BackendPlan, origins: Origins): Draft {
  const origin = placeIn(origins.sessions, session);
  return {
    name: `loop.${session}`,
    role: "loop",
    grants: [
      { name: "console", interfaceId: Terminal.id, provider: "console", origin },
      { name: "gate", interfaceId: ToolProxy.id, provider: `gate.${session}`, origin },
      {
        name: "model",
        interfaceId: LanguageModel.id,
        provider: `model.${backend.name}`,
        origin: placeIn(origins.backends, backend.name),
      },
    ],
    files: [],
  };
}

/** file:line:column of a declaration; every session, service and backend of a policy has one. */
function placeIn(spans: ReadonlyMap<string, Span>, name: string): string {
  const span = spans.get(name);
  return span === undefined ? bug(`no origin of ${name}`) : placeOf(span);
}

/** The first backend of the session that needs no proof of presence; nothing here can give one yet. */
function backendOf(policy: Policy, rows: readonly Row[]): BackendPlan | undefined {
  const choice = rows[0]?.backends.find(({ mode }) => mode === "auto");
  const name = choice && policy.tables.backends[choice.backend]?.name;
  return policy.backends.find((backend) => backend.name === name);
}

/** Some row of the session has a tool of the service that can run. */
function mayRun({ tables }: Policy, rows: readonly Row[], service: string): boolean {
  return rows.some((row) =>
    row.cells.some((cell, tool) => {
      const list = tables.decisions[cell - FIRST_DECISION];
      return tables.tools[tool]?.provider === service && list !== undefined && !isClosed(list);
    }),
  );
}

/** Forbidden whatever the arguments: the strictest clause decides. */
function isClosed({ clauses }: Decision): boolean {
  return clauses.some(
    ({ conditions, met, otherwise }) => met === "forbidden" && (conditions.length === 0 || otherwise === "forbidden"),
  );
}

function numbered(drafts: readonly Draft[]): readonly Process[] {
  let badge = 0n;
  return drafts.map(({ name, role, arguments: own, grants, files }, index) => ({
    name,
    role,
    uid: FIRST_UID + index,
    ...startOf(role, own),
    grants: grants.map((grant) => {
      badge += 1n;
      return { ...grant, badge, expiresAfterSeconds: 0 };
    }),
    files,
  }));
}
