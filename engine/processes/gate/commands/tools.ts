import {
  type AdvertisedTool,
  checkFlow,
  findAdvertisedTool,
  formatLabel,
  listAdvertisedTools,
} from "../../../lib/policy/index.ts";
import type { ToolResult } from "../../../lib/wire/generated/capos.ts";
import type { Person } from "../ports.ts";
import { excerpt } from "../result.ts";
import { explainClosed } from "../sentences.ts";
import { renderCoveringRules } from "./covering.ts";
import { getInterfaceName } from "./interfaces.ts";
import type { CommandParts, Lines } from "./parts.ts";
import { extractSaid, parseArguments, resolveToolName } from "./spoken.ts";

/** Lists the tools with their gates. A tool that the flow check refuses for the data of the conversation is marked. */
export function listTools({ gate }: CommandParts): Lines {
  const { tables } = gate.parts;
  const { conversation } = gate;
  const closed = explainClosed(tables, conversation);
  const row = tables.rows[conversation.row];
  const tools = listAdvertisedTools(tables, conversation).map(({ tool, mode }) => {
    const line = `${tool.name}: ${mode}, ${tables.categories[tool.category]?.name ?? ""}`;
    const flow = row && checkFlow(tables, row, conversation, tables.toolIndex.get(tool.name) ?? -1);
    return flow === undefined || flow.ok || mode === "forbidden" ? line : `${line}; refused now: ${flow.reason}`;
  });
  return closed === undefined ? tools : [closed, ...tools];
}

export function inspect(parts: CommandParts, name: string): Lines {
  const { gate, held } = parts;
  const found = findAdvertisedTool(gate.parts.tables, gate.conversation, name);
  if (found !== undefined) return inspectTool(parts, found);
  const interfaceId = gate.services.isGranted(name) ? held.get(name) : undefined;
  if (interfaceId === undefined) return [`${excerpt(name)} is no tool and no service of this session`];
  const tools = listAdvertisedTools(gate.parts.tables, gate.conversation).filter(({ tool }) => tool.provider === name);
  return [
    `${name}: interface ${getInterfaceName(gate.parts.tables, interfaceId)}${gate.services.isRevoked(name) ? ", revoked" : ""}`,
    ...tools.map(({ tool, mode }) => `  ${tool.name}: ${mode}, ${tool.description}`),
  ];
}

function inspectTool({ gate }: CommandParts, found: AdvertisedTool): Lines {
  const { tables } = gate.parts;
  const { tool } = found;
  return [
    `${tool.name}: ${tool.description}`,
    `${tool.interfaceName}.${tool.methodName}, answered by ${tool.provider}, category ${tables.categories[tool.category]?.name}`,
    ...renderCoveringRules(gate, found),
    `arguments ${tool.paramSchema}`,
    `result ${formatLabel(tables.lattice, tool.result.low)} to ${formatLabel(tables.lattice, tool.result.high)}, arguments flow to ${formatLabel(tables.lattice, tool.sink)}`,
  ];
}

/**
 * Calls a tool with arguments as JSON or as words. If a call in words has a result with a
 * text for a person, the answer is only this text.
 */
export async function callTool({ gate, entry }: CommandParts, argument: string, signal: AbortSignal): Promise<Lines> {
  const [named = "", ...rest] = argument.split(/\s+/);
  if (named === "") return ["/tool needs the name of a tool"];
  const { tables } = gate.parts;
  const name = resolveToolName(listAdvertisedTools(tables, gate.conversation), named);
  if (!name.ok) return [`more than one tool: ${name.reason}`];
  const given = argument.slice(named.length).trim();
  const params = findAdvertisedTool(tables, gate.conversation, name.value)?.tool.params;
  const areWords = rest.length > 0 && !given.startsWith("{") && params !== undefined;
  const args = rest.length === 0 ? "{}" : areWords ? parseArguments(params, given) : given;
  const result = await gate.personCalls.call({ id: "typed", name: name.value, arguments: args }, signal, entry);
  const said = areWords && result.outcome === "ok" ? extractSaid(result.content) : undefined;
  const lines = await answerLines(gate.parts.person, result, signal);
  return said === undefined ? lines : [`→ ${said}`];
}

/** Returns the result of a person's own call, once the notices of the call are drawn. */
export async function answerLines(person: Person, result: ToolResult, signal: AbortSignal): Promise<Lines> {
  await waitUntilDrawn(person, signal);
  return [result.outcome === "ok" ? `ok: ${result.content}` : `${result.outcome}: ${result.error}`];
}

/**
 * Waits until notices are drawn. The answer takes another path than a notice, and could overtake it on a machine with
 * two processors.
 */
async function waitUntilDrawn(person: Pick<Person, "drawn">, signal: AbortSignal): Promise<void> {
  const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  if (!signal.aborted) await Promise.race([person.drawn(), stopped]);
}
