// Entries of the lists of tools in settings of Gemini CLI: `read_file`, `run_shell_command(git status)`, `mcp_server_tool`.

import { collectTexts, getPath, getProperty, listEntries, type Path } from "../value.ts";
import { normalizeTool } from "./names.ts";

export interface Entry {
  readonly path: Path;
  readonly text: string;
  /** Current name of the tool. */
  readonly tool: string;
  /** Text in parentheses; `undefined` if the entry has none. */
  readonly what: string | undefined;
}

/** Lists of the settings, with the path of each list in the current version and in old versions. */
const LISTS = {
  core: [["tools", "core"], ["coreTools"]],
  exclude: [["tools", "exclude"], ["excludeTools"]],
  allowed: [["tools", "allowed"]],
  confirmationRequired: [["tools", "confirmationRequired"]],
} as const;

export type ListName = keyof typeof LISTS;

/** Paths of the lists of servers. */
export const SERVER_LISTS = {
  allowed: [["mcp", "allowed"], ["allowMCPServers"]],
  excluded: [["mcp", "excluded"], ["excludeMCPServers"]],
} as const;

/** Returns the paths of all lists that decide about tools. */
export function listDecidingLists(settings: unknown): readonly Path[] {
  const servers = listEntries(getProperty(settings, "mcpServers")).flatMap(([name]) =>
    ["includeTools", "excludeTools"].map((list): Path => ["mcpServers", name, list]),
  );
  return [...Object.values(LISTS).flat(), ...Object.values(SERVER_LISTS).flat(), ...servers];
}

/** Returns the entries of a list; `undefined` if the settings do not have the list. */
export function readEntries(settings: unknown, list: ListName): readonly Entry[] | undefined {
  const places = LISTS[list].filter((path) => getPath(settings, path) !== undefined);
  if (places.length === 0) return undefined;
  return places.flatMap((path) =>
    collectTexts(getPath(settings, path)).map(([index, text]) => readEntry([...path, index], text)),
  );
}

function readEntry(path: Path, text: string): Entry {
  const [, name, what] = /^([\w-]+)\((.*)\)$/s.exec(text) ?? [];
  return { path, text, tool: normalizeTool(name ?? text), what };
}

/** Returns the name of an MCP tool. */
export function nameServerTool(server: string, tool: string): string {
  return `mcp_${server}_${tool}`;
}

/**
 * Returns whether a name in a list that tightens the policy may refer to a tool of a server. Every form of name that
 * any version has accepted counts.
 */
export function isStrictlyNaming(name: string, server: string, tool: string): boolean {
  return [
    "*",
    "mcp_*",
    `mcp_${server}_*`,
    `mcp_*_${tool}`,
    nameServerTool(server, tool),
    `${server}__${tool}`,
    `mcp__${server}__${tool}`,
    tool,
  ].includes(name);
}
