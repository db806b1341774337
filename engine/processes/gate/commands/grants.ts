import { isOpened, listAdvertisedTools } from "../../../lib/policy/index.ts";
import { Broker, type HeldConsent, Supervisor } from "../../../lib/wire/generated/wire.ts";
import { NEIGHBOUR_MS } from "../ports.ts";
import { buildConsentPlace } from "../remembering.ts";
import { excerpt } from "../result.ts";
import { getInterfaceName } from "./interfaces.ts";
import type { CommandParts, Lines } from "./parts.ts";

const MINUTE_MS = 60_000n;
const USAGE = "/revoke takes a service, the number of a consent, or all for every consent; /grants lists them";

export function listCapabilities({ gate, held }: CommandParts): Lines {
  const { tables } = gate.parts;
  return [...held].map(([name, interfaceId]) => `${name}: interface ${getInterfaceName(tables, interfaceId)}`).sort();
}

/** Returns the services that the session may use, and the consents remembered in it. */
export async function showGrants(parts: CommandParts): Promise<Lines> {
  return [...describeServices(parts), ...(await describeConsents(parts))];
}

function describeServices({ gate }: CommandParts): Lines {
  const tools = listAdvertisedTools(gate.parts.tables, gate.conversation);
  const services = [...gate.services.names].sort();
  if (services.length === 0) return ["this session holds no service"];
  return services.map((name) => {
    if (gate.services.isRevoked(name)) return `${name}: revoked`;
    const usable = tools.filter(({ tool, mode }) => tool.provider === name && mode !== "forbidden");
    // A phase has only the methods that it names.
    const words = usable.map(({ tool, mode }) => `${tool.methodName} ${mode}`).join(", ");
    return `${name}: ${words || "nothing at present"}`;
  });
}

/**
 * Returns the remembered consents. Returns no lines if no consent can exist here: the page remembers none, and no backend is behind a gate.
 */
async function describeConsents({ gate }: CommandParts): Promise<Lines> {
  const { broker, tables } = gate.parts;
  const { remember = "none", backends = [] } = tables.rows[gate.conversation.row] ?? {};
  if (remember === "none" && !backends.some(isOpened)) return [];
  const consent = buildConsentPlace(tables, gate.conversation, gate.place);
  const reply = await broker.call(Broker.methods.consents, { consent }, { timeoutMs: NEIGHBOUR_MS });
  if (!reply.ok) return [`which consents are remembered is not known: ${reply.reason}`];
  return reply.value.held.length === 0 ? ["no consent is remembered"] : reply.value.held.map(renderConsent);
}

function renderConsent({ number, words, forMs }: HeldConsent): string {
  const minutes = (forMs + MINUTE_MS - 1n) / MINUTE_MS;
  return `consent ${number}: ${words}; ${minutes} min are left`;
}

/** Revokes a service by its name, a consent by its number, or all consents. */
export async function revoke(parts: CommandParts, what: string): Promise<Lines> {
  if (/^\d{1,9}$/.test(what)) return takeBack(parts, Number(what));
  if (what === "") return [USAGE];
  return what === "all" ? takeBack(parts, 0) : revokeService(parts, what);
}

/**
 * Revokes consents. The broker first forgets the consents, so that no new call begins under them. Then a running call under one of these
 * consents ends.
 */
async function takeBack({ gate }: CommandParts, number: number): Promise<Lines> {
  const { broker } = gate.parts;
  const reply = await broker.call(Broker.methods.takeBack, { number }, { timeoutMs: NEIGHBOUR_MS });
  if (!reply.ok) return [`nothing could be taken back: ${reply.reason}`];
  const { taken } = reply.value;
  gate.calls.withdraw(taken);
  if (taken.length === 0) return [number === 0 ? "no consent is remembered" : `there is no consent ${number}`];
  return taken.map((one) => `consent ${one} is taken back`);
}

/** Revokes a service. The gate first stops using the service. Then init closes the connection, so that no copy of the connection works. */
async function revokeService({ gate, supervisor }: CommandParts, name: string): Promise<Lines> {
  if (!gate.services.isGranted(name)) {
    return [`${excerpt(name)} is no service of this session, and no number of a consent; /grants lists them`];
  }
  if (gate.services.isRevoked(name)) return [`${name} was revoked before`];
  gate.calls.revoke(name);
  const reply = await supervisor.call(Supervisor.methods.revoke, { name }, { timeoutMs: NEIGHBOUR_MS });
  return reply.ok
    ? [`${name} is revoked, and its connection is shut`]
    : [`${name} is revoked here, but its connection could not be shut: ${reply.reason}`];
}
