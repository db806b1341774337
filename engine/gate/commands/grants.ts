import { advertisedTools } from "../../policy/index.ts";
import { Supervisor } from "../../wire/generated/wire.ts";
import { NEIGHBOUR_MS } from "../ports.ts";
import { excerpt } from "../result.ts";
import type { CommandParts, Lines } from "./parts.ts";

export function listCapabilities({ held }: CommandParts): Lines {
  return [...held].map(([name, interfaceId]) => `${name}: interface ${interfaceId.toString(16)}`).sort();
}

export function grants({ gate }: CommandParts): Lines {
  const tools = advertisedTools(gate.parts.tables, gate.conversation);
  const services = [...gate.parts.providers.keys()].sort();
  if (services.length === 0) return ["this session holds no service"];
  return services.map((name) => {
    if (gate.revoked.has(name)) return `${name}: revoked`;
    const usable = tools.filter(({ tool, mode }) => tool.provider === name && mode !== "forbidden");
    return `${name}: ${usable.map(({ tool, mode }) => `${tool.methodName} ${mode}`).join(", ")}`;
  });
}

/** The gate stops using it first; then init shuts the connection, for every copy of it that there may be. */
export async function revoke({ gate, supervisor }: CommandParts, name: string): Promise<Lines> {
  if (!gate.parts.providers.has(name)) return [`${excerpt(name)} is no service of this session; /grants lists them`];
  if (gate.revoked.has(name)) return [`${name} was revoked before`];
  gate.revoke(name);
  const reply = await supervisor.call(Supervisor.methods.revoke, { name }, { timeoutMs: NEIGHBOUR_MS });
  return reply.ok
    ? [`${name} is revoked, and its connection is shut`]
    : [`${name} is revoked here, but its connection could not be shut: ${reply.reason}`];
}
