// The person's direct commands. They bypass the model and the loop, but not the gate: `/tool` is decided like any call.
import { createHash } from "node:crypto";
import { advertisedTools, FIRST_DECISION } from "../policy/index.ts";
import type { Gate } from "./gate.ts";
import { excerpt } from "./result.ts";
import { labelWords, ruleWords } from "./words.ts";

export interface CommandParts {
  readonly gate: Gate;
  /** The bytes of the tables, of which the digest is shown. */
  readonly tables: Uint8Array;
  /** Capabilities that this process holds, with their interfaces. */
  readonly held: ReadonlyMap<string, bigint>;
}

type Lines = readonly string[];
interface Command {
  readonly usage: string;
  readonly run: (parts: CommandParts, argument: string, signal: AbortSignal) => Lines | Promise<Lines>;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["help", { usage: "/help: these lines", run: help }],
  ["tools", { usage: "/tools: what the model may propose, and behind which gate", run: listTools }],
  ["cap", { usage: "/cap: the capabilities that this session holds", run: listCapabilities }],
  ["inspect", { usage: "/inspect TOOL: all that the tables say about a tool", run: inspect }],
  ["why", { usage: "/why: the last decision and the line of the page behind it", run: why }],
  ["policy", { usage: "/policy: the digest of the tables and their lines", run: policy }],
  ["tool", { usage: "/tool NAME ARGUMENTS: call a tool yourself; arguments are JSON", run: callTool }],
]);

/** The answer to a command, as lines for the screen. */
export async function answerCommand(
  parts: CommandParts,
  name: string,
  argument: string,
  signal: AbortSignal,
): Promise<Lines> {
  const command = COMMANDS.get(name);
  return command === undefined
    ? [`there is no command /${excerpt(name)}; /help lists them`]
    : command.run(parts, argument.trim(), signal);
}

function help(): Lines {
  return [...[...COMMANDS.values()].map(({ usage }) => usage), "/exit: leave; the machine powers off"];
}

function listTools({ gate: { tables, conversation } }: CommandParts): Lines {
  const tools = advertisedTools(tables, conversation);
  return tools.map(({ tool, mode }) => `${tool.name}: ${mode}, ${tables.categories[tool.category]?.name ?? ""}`);
}

function listCapabilities({ held }: CommandParts): Lines {
  return [...held].map(([name, interfaceId]) => `${name}: interface ${interfaceId.toString(16)}`).sort();
}

function inspect({ gate: { tables, conversation } }: CommandParts, name: string): Lines {
  const found = advertisedTools(tables, conversation).find(({ tool }) => tool.name === name);
  if (found === undefined) return [`${excerpt(name)} is not a tool of this session`];
  const { tool, mode } = found;
  const cell = tables.rows[conversation.row]?.cells[tables.tools.indexOf(tool)] ?? 0;
  const clauses = tables.decisions[cell - FIRST_DECISION]?.clauses ?? [];
  return [
    `${tool.name}: ${tool.description}`,
    `${tool.interfaceName}.${tool.methodName}, answered by ${tool.provider}, category ${tables.categories[tool.category]?.name}`,
    `mode ${mode}, by:`,
    ...clauses.map(({ rule }) => `  ${ruleWords(tables, rule)}`),
    `arguments ${tool.paramSchema}`,
    `result ${labelWords(tables, tool.result.low)} to ${labelWords(tables, tool.result.high)}, arguments flow to ${labelWords(tables, tool.sink)}`,
  ];
}

function why({ gate: { tables, last, conversation } }: CommandParts): Lines {
  if (last === undefined) return ["nothing has been decided yet"];
  const { call, decision, outcome } = last;
  return [
    `${excerpt(call.name)} ${excerpt(call.arguments)}`,
    `decided: ${decision.kind === "gated" ? decision.gate : decision.outcome}, because: ${decision.reason}`,
    `rule: ${ruleWords(tables, decision.rule)}`,
    `outcome: ${outcome ?? "not yet known"}`,
    `this conversation is at ${labelWords(tables, conversation.label)}`,
  ];
}

function policy({ gate, tables: bytes }: CommandParts): Lines {
  const { tables, session, conversation } = gate;
  const cells = tables.rows[conversation.row]?.cells ?? [];
  const rules = new Set(
    cells.flatMap((cell) => tables.decisions[cell - FIRST_DECISION]?.clauses ?? []).map(({ rule }) => rule),
  );
  return [
    `system ${tables.systemId} ${tables.version}, session ${session}`,
    `tables sha256 ${createHash("sha256").update(bytes).digest("hex")}`,
    ...[...rules].sort((a, b) => a - b).map((rule) => ruleWords(tables, rule)),
  ];
}

async function callTool({ gate }: CommandParts, argument: string, signal: AbortSignal): Promise<Lines> {
  const [name = "", ...rest] = argument.split(/\s+/);
  if (name === "") return ["/tool needs the name of a tool"];
  const args = rest.length === 0 ? "{}" : argument.slice(name.length).trim();
  const result = await gate.direct({ id: "direct", name, arguments: args }, signal);
  return [`${result.outcome}: ${result.outcome === "ok" ? result.content : result.error}`];
}
