// Ollama's own /api/chat: one JSON object in each line. A call arrives complete, with its arguments as an object.

import {
  getText,
  isRecord,
  type Json,
  type JsonRecord,
  listIn,
  readCarrier,
  readJson,
  recordIn,
} from "../../../lib/policy/index.ts";
import type { ChatMessage, ToolCall } from "../../../lib/wire/generated/capos.ts";
import {
  countIn,
  type Dialect,
  type DialectEvent,
  type DialectRequest,
  formatErrorWord,
  makeFault,
  makeUsage,
  type Reader,
  readArguments,
  readContent,
} from "./dialect.ts";
import { Names } from "./names.ts";
import { collectNames, describeFunction } from "./openai.ts";

export const OLLAMA: Dialect = {
  name: "ollama",
  contentType: "application/x-ndjson",
  request: requestOf,
  reader: createReader,
};

function requestOf({ model, messages, tools, mostTokens, temperature, stops, schema }: DialectRequest): Json {
  const names = new Names(collectNames(tools, messages));
  const named = new Map(messages.flatMap(({ toolCalls }) => toolCalls.map(({ id, name }) => [id, name] as const)));
  return {
    model,
    messages: messages.map((message) => convertMessage(message, names, named)),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => describeFunction(tool, names)) }),
    options: { num_predict: mostTokens, temperature, ...(stops.length === 0 ? {} : { stop: [...stops] }) },
    ...(schema === undefined ? {} : { format: schema }),
    stream: true,
  };
}

/** Returns a message in the form of this dialect. Calls have no ids in this dialect: a result names its tool. */
function convertMessage(message: ChatMessage, names: Names, named: ReadonlyMap<string, string>): Json {
  const { role, content, toolCallId, toolCalls } = message;
  if (role === "tool") return { role, content, tool_name: names.translateToTheirs(named.get(toolCallId) ?? "") };
  if (toolCalls.length === 0) return { role, content };
  const calls = toolCalls.map((call) => ({
    function: { name: names.translateToTheirs(call.name), arguments: parseArguments(call) },
  }));
  return { role, content, tool_calls: calls };
}

/**
 * Returns the arguments of a call as an object. Arguments that are not an object become an object with the member
 * `arguments`, because the provider accepts only objects. The result of such a call states that it was refused.
 */
function parseArguments({ arguments: json }: ToolCall): Json {
  const read = readJson(json);
  return read.ok && isRecord(read.value) ? read.value : { arguments: json };
}

function createReader(): Reader {
  let calls = 0;
  return (line) => {
    if (line.trim() === "") return [];
    const read = readCarrier(line);
    if (!read.ok || !isRecord(read.value)) return makeFault("it sends a line that is no JSON object");
    const said = parseRecord(read.value, calls);
    calls += said.filter(({ kind }) => kind === "call").length;
    return said;
  };
}

function parseRecord(record: JsonRecord, before: number): readonly DialectEvent[] {
  const { message, done, error } = record;
  if (error !== undefined) return makeFault(`it breaks off with an error${formatErrorWord(error)}`);
  const { content, tool_calls: calls } = recordIn(message);
  const text = readContent(content);
  return [
    ...(text === "" ? [] : [{ kind: "text", text } as const]),
    ...listIn(calls).map((call, index) => callSays(recordIn(call), before + index)),
    ...(done === true ? endSays(record) : []),
  ];
}

function callSays({ function: called }: JsonRecord, index: number): DialectEvent {
  const { name, arguments: given } = recordIn(called);
  return { kind: "call", index, id: "", name: getText(name), arguments: readArguments(given) };
}

function endSays({
  done_reason: why,
  prompt_eval_count: prompt,
  eval_count: output,
}: JsonRecord): readonly DialectEvent[] {
  return [
    { kind: "finish", reason: why === "length" ? "length" : "stop" },
    // Ollama omits counts of 0.
    ...makeUsage(countIn(prompt ?? 0), countIn(output ?? 0)),
    { kind: "end" },
  ];
}
