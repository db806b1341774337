// Returns the names of interfaces for people. The policy tables name the interfaces of the page's services, and a list
// in this file names the interfaces of the engine.
import type { IndexedTables } from "../../../lib/policy/index.ts";
import { ConversationLog, ConversationStore } from "../../../lib/wire/generated/conversations.ts";
import { HttpExchange, SyslogExit } from "../../../lib/wire/generated/egress.ts";
import { FileEdits, PlanGate } from "../../../lib/wire/generated/service.ts";
import { Approval, AuditLog, Broker, Metering, Supervisor } from "../../../lib/wire/generated/wire.ts";

const ENGINE = [
  Approval,
  AuditLog,
  Broker,
  ConversationLog,
  ConversationStore,
  FileEdits,
  HttpExchange,
  Metering,
  PlanGate,
  Supervisor,
  SyslogExit,
];
const NAMES: ReadonlyMap<bigint, string> = new Map(ENGINE.map(({ id, name }) => [id, name]));

/** Returns the name of an interface, or its number if neither the page nor the engine names it. */
export function getInterfaceName(tables: IndexedTables, id: bigint): string {
  const named = NAMES.get(id) ?? tables.tools.find(({ interfaceId }) => interfaceId === id)?.interfaceName;
  return named ?? `${id.toString(16)}, which has no name here`;
}
