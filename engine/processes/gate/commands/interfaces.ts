// Names interfaces for people: the page's tables name those of its services, and the engine's own list names the others.
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

/** Returns the name of an interface, or its number if it has no name in the page or the engine. */
export function getInterfaceName(tables: IndexedTables, id: bigint): string {
  const named = NAMES.get(id) ?? tables.tools.find(({ interfaceId }) => interfaceId === id)?.interfaceName;
  return named ?? `${id.toString(16)}, which has no name here`;
}
