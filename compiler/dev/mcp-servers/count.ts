// Counts the tools and arguments in tool lists of public MCP servers that the importer keeps.

import { readFileSync } from "node:fs";
import { readToolList } from "../../phases/reflect/mcp.ts";

/** A server with a tool list in this checkout, as described in `servers.json`. */
interface Server {
  readonly name: string;
  readonly registry: "npm" | "PyPI";
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  /** Command that started the server, whose tool list was then read. The environment of the command is left out. */
  readonly run: string;
}

/** Loss of one tool, or of one of its arguments, which the importer cannot express. */
interface Loss {
  readonly server: string;
  readonly tool: string;
  /** Optional argument that no call can contain; absent if the whole tool is lost. */
  readonly argument?: string;
  readonly reason: string;
}

interface Count {
  readonly server: string;
  readonly tools: number;
  /** Number of tools that can be called with all required arguments. */
  readonly callable: number;
  /** Number of tools that can be called with every described argument. */
  readonly whole: number;
  readonly losses: readonly Loss[];
}

const FOLDER = new URL("./", import.meta.url);

/** Returns the servers with a list in this checkout, in order of their names. */
export function readServers(): readonly Server[] {
  return JSON.parse(readFileSync(new URL("servers.json", FOLDER), "utf8"));
}

/**
 * Counts the tools and arguments in the list of one server that the importer keeps. Throws if the list itself is
 * refused, which breaks a promise.
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

/** Renders counts as a table; the last line contains the totals. */
export function renderCounts(counts: readonly Count[]): string {
  const sum = (field: "tools" | "callable" | "whole") => counts.reduce((all, count) => all + count[field], 0);
  const total = { server: "all", tools: sum("tools"), callable: sum("callable"), whole: sum("whole") };
  const lines = [...counts, total].map(({ server, tools, callable, whole }) =>
    [server.padEnd(24), String(tools).padStart(5), String(callable).padStart(9), String(whole).padStart(6)].join(""),
  );
  return `${["server".padEnd(24), "tools", " callable", " whole"].join("")}\n${lines.join("\n")}\n`;
}
