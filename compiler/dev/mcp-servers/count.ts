// Counts how many tools of public MCP servers capc can import from their tool lists, and lists the tools and arguments
// that it leaves out.

import { readFileSync } from "node:fs";
import { readToolList } from "../../phases/reflect/mcp.ts";

/** An MCP server whose list of tools is in `lists/`, as `servers.json` describes the server. */
interface Server {
  readonly name: string;
  readonly registry: "npm" | "PyPI";
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  /** The command that answered `tools/list`, without its environment. */
  readonly run: string;
}

/** A part of a server's list that the importer leaves out: a whole tool, or one argument of a tool. */
interface Loss {
  readonly server: string;
  readonly tool: string;
  /**
   * Name of the optional argument that is left out, so that no call can contain it; absent if the whole tool is left
   * out.
   */
  readonly argument?: string;
  readonly reason: string;
}

interface Count {
  readonly server: string;
  readonly tools: number;
  /** Number of tools that can be called with all arguments that they require. */
  readonly callable: number;
  /** Number of tools that can be called with every argument that they describe. */
  readonly whole: number;
  readonly losses: readonly Loss[];
}

const FOLDER = new URL("./", import.meta.url);

/** Returns the servers whose lists of tools are in `lists/`, in the order of their names. */
export function readServers(): readonly Server[] {
  return JSON.parse(readFileSync(new URL("servers.json", FOLDER), "utf8"));
}

/**
 * Counts how many tools and arguments the importer retains from the list of one server. Throws if the importer refuses
 * the whole list: the importer promises never to do this.
 */
export function countTools(server: string): Count {
  const list = readToolList(
    `/${server}.tools.json`,
    readFileSync(new URL(`lists/${server}.tools.json`, FOLDER), "utf8"),
  );
  if (!list.ok) throw new Error(`${server}: ${list.reason}`);
  const losses = list.value.tools.flatMap(({ method, omitted }): readonly Loss[] => {
    const place = { server, tool: method.name };
    if (!method.callable) return [{ ...place, reason: method.reason }];
    return omitted.map(({ name, reason }) => ({ ...place, argument: name, reason }));
  });
  const callable = list.value.tools.filter(({ method }) => method.callable);
  const whole = callable.filter(({ omitted }) => omitted.length === 0);
  return { server, tools: list.value.tools.length, callable: callable.length, whole: whole.length, losses };
}

/** Renders counts as a table, with the totals in the last line. */
export function renderCounts(counts: readonly Count[]): string {
  const sum = (field: "tools" | "callable" | "whole") => counts.reduce((all, count) => all + count[field], 0);
  const total = { server: "all", tools: sum("tools"), callable: sum("callable"), whole: sum("whole") };
  const lines = [...counts, total].map(({ server, tools, callable, whole }) =>
    [server.padEnd(24), String(tools).padStart(5), String(callable).padStart(9), String(whole).padStart(6)].join(""),
  );
  return `${["server".padEnd(24), "tools", " callable", " whole"].join("")}\n${lines.join("\n")}\n`;
}
