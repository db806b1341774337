// Names a tool of a page as a tool of an MCP server. The server has the name of the tool's service.

import type { Tool } from "../../../../engine/lib/wire/generated/policy.ts";

export function getServer({ provider }: Tool): string {
  return provider;
}

/** Returns the name of the tool on the page, without the service's name. */
export function getMethod({ name, provider }: Tool): string {
  return name.startsWith(`${provider}.`) ? name.slice(provider.length + 1) : name;
}

/** Groups items by server, in order of first occurrence. */
export function groupByServer<T>(items: readonly T[], toolOf: (item: T) => Tool): ReadonlyMap<string, readonly T[]> {
  const servers = new Map<string, T[]>();
  for (const item of items) {
    const server = getServer(toolOf(item));
    const known = servers.get(server) ?? [];
    known.push(item);
    servers.set(server, known);
  }
  return servers;
}
