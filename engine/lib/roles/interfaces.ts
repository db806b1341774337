// The interfaces between the processes of an image, by the names that the table of roles uses.

import { LanguageModel, TextEmbedder } from "../wire/generated/capos.ts";
import { ConversationLog, ConversationStore } from "../wire/generated/conversations.ts";
import { HttpExchange, SyslogExit } from "../wire/generated/egress.ts";
import { TaskDesk, TaskHost, TaskRecord } from "../wire/generated/ledger.ts";
import { PlanGate } from "../wire/generated/service.ts";
import { HttpEndpoint } from "../wire/generated/tools.ts";
import {
  Approval,
  AuditLog,
  Broker,
  Metering,
  Session,
  Supervisor,
  Terminal,
  ToolProxy,
} from "../wire/generated/wire.ts";
import type { GrantableInterface, RuntimeInterface } from "./roles.ts";

const IDS: Readonly<Record<RuntimeInterface, bigint>> = {
  Approval: Approval.id,
  AuditLog: AuditLog.id,
  Broker: Broker.id,
  ConversationLog: ConversationLog.id,
  ConversationStore: ConversationStore.id,
  HttpEndpoint: HttpEndpoint.id,
  HttpExchange: HttpExchange.id,
  LanguageModel: LanguageModel.id,
  Metering: Metering.id,
  PlanGate: PlanGate.id,
  Session: Session.id,
  Supervisor: Supervisor.id,
  SyslogExit: SyslogExit.id,
  TaskDesk: TaskDesk.id,
  TaskHost: TaskHost.id,
  TaskRecord: TaskRecord.id,
  Terminal: Terminal.id,
  TextEmbedder: TextEmbedder.id,
  ToolProxy: ToolProxy.id,
};

/** Interfaces of the runtime that are also tools of pages. */
const ALSO_TOOLS: ReadonlySet<bigint> = new Set([HttpEndpoint.id]);

const RUNTIME_ALONE: ReadonlySet<bigint> = new Set(Object.values(IDS).filter((id) => !ALSO_TOOLS.has(id)));

/** Returns the id of an interface that the table of roles names. */
export function getInterfaceId(name: RuntimeInterface): bigint {
  return IDS[name];
}

/** Returns whether `held`, the interfaces that a role may hold, includes this interface. */
export function mayHold(held: readonly GrantableInterface[], interfaceId: bigint): boolean {
  return held.some((one) => (one === "tools" ? !RUNTIME_ALONE.has(interfaceId) : IDS[one] === interfaceId));
}
