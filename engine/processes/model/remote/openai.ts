// Chat completions of OpenAI and compatible providers: server-sent events, each with one JSON object.

import { describeTool } from "../../../lib/context/index.ts";
import {
  getText,
  type Json,
  type JsonRecord,
  listIn,
  readCarrier,
  readJson,
  recordIn,
} from "../../../lib/policy/index.ts";
import type { ChatMessage, ToolDescriptor } from "../../../lib/wire/generated/capos.ts";
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
import { MOST_LINE_BYTES } from "./limits.ts";
import { Names } from "./names.ts";

export const OPENAI: Dialect = {
  name: "openai",
  contentType: "text/event-stream",
  request: requestOf,
  reader: createReader,
};

function requestOf({ model, messages, tools, mostTokens, temperature, stops, schema }: DialectRequest): Json {
  const names = new Names(collectNames(tools, messages));
  return {
    model,
    messages: messages.map((message) => convertMessage(message, names)),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => describeFunction(tool, names)) }),
    max_tokens: mostTokens,
    temperature,
    ...(stops.length === 0 ? {} : { stop: [...stops] }),
    ...(schema === undefined ? {} : { response_format: describeFormat(schema) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/**
 * Returns the response format without `strict`, which would refuse optional members and bounds of texts; the answer is
 * checked here.
 */
function describeFormat(schema: JsonRecord): Json {
  return { type: "json_schema", json_schema: { name: "answer", schema } };
}

/**
 * Returns the names of the offered tools, followed by the names of the tools that were called in earlier messages. All
 * of them need a name that the provider accepts.
 */
export function collectNames(tools: readonly ToolDescriptor[], messages: readonly ChatMessage[]): readonly string[] {
  const called = messages.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name));
  return [...tools.map(({ name }) => name), ...called];
}

function convertMessage({ role, content, toolCallId, toolCalls }: ChatMessage, names: Names): Json {
  if (role === "tool") return { role, tool_call_id: toolCallId, content };
  if (toolCalls.length === 0) return { role, content };
  const calls = toolCalls.map(({ id, name, arguments: json }) => ({
    id,
    type: "function",
    function: { name: names.translateToTheirs(name), arguments: json },
  }));
  return { role, content, tool_calls: calls };
}

/** Returns a tool in the form of both dialects, with its mode as a sentence of its description. */
export function describeFunction(tool: ToolDescriptor, names: Names): Json {
  const schema = readJson(tool.paramSchema);
  const parameters = schema.ok ? schema.value : { type: "object" };
  const description = describeTool(tool);
  return { type: "function", function: { name: names.translateToTheirs(tool.name), description, parameters } };
}

/**
 * Reads the lines of an event stream. Lines that begin with `data:` form an event, and an empty line ends it. Other
 * lines are ignored.
 */
function createReader(): Reader {
  let held: string[] = [];
  let size = 0;
  const choices = new Choices();
  return (line) => {
    if (line === "") {
      const event = held.join("\n");
      [held, size] = [[], 0];
      return event === "" ? [] : parseEvent(event, choices);
    }
    const [, data] = /^data: ?(.*)$/s.exec(line) ?? [];
    if (data === undefined) return [];
    size += data.length + 1;
    if (size > MOST_LINE_BYTES) return makeFault("it sends an event that is too long");
    held.push(data);
    return [];
  };
}

function parseEvent(event: string, reading: Choices): readonly DialectEvent[] {
  if (event.trim() === "[DONE]") return [{ kind: "end" }];
  const read = readCarrier(event);
  if (!read.ok) return makeFault("it sends an event that is no JSON");
  const { choices, usage, error } = recordIn(read.value);
  if (error !== undefined && error !== null) return makeFault(`it breaks off with an error${describeError(error)}`);
  const [first] = listIn(choices);
  return [...reading.parseChoice(recordIn(first)), ...parseUsage(recordIn(usage))];
}

/**
 * Returns the code or type of an error object as a word for people. The object may be in the stream or replace the
 * stream.
 */
export function describeError(error: Json | undefined): string {
  const { code, type } = recordIn(error);
  return formatErrorWord(code) || formatErrorWord(type);
}

/**
 * Reads the choices of an answer. Some providers use `message` instead of `delta`, and some repeat everything as a
 * `message` after their deltas.
 */
class Choices {
  #saysIn: "delta" | "message" | undefined;

  parseChoice({ delta, message, finish_reason: finish }: JsonRecord): readonly DialectEvent[] {
    const deltaSays = parseMessage(recordIn(delta));
    if (deltaSays.length > 0) this.#saysIn ??= "delta";
    const says = this.#saysIn === "delta" ? deltaSays : parseMessage(recordIn(message));
    if (says.length > 0) this.#saysIn ??= "message";
    return [...says, ...finishSays(finish)];
  }
}

function parseMessage({
  content,
  refusal,
  tool_calls: calls,
  function_call: only,
}: JsonRecord): readonly DialectEvent[] {
  const text = readContent(content) + getText(refusal);
  return [
    ...(text === "" ? [] : [{ kind: "text", text } as const]),
    ...listIn(calls).flatMap((call) => callSays(recordIn(call))),
    // `function_call` is the older form, with one call in an answer.
    ...(only === undefined || only === null ? [] : callSays({ index: 0, function: only })),
  ];
}

function callSays({ index, id, function: called }: JsonRecord): readonly DialectEvent[] {
  if (index !== undefined && index !== null && !isIndex(index)) {
    return makeFault("it sends a piece of a call and does not say of which");
  }
  const { name, arguments: given } = recordIn(called);
  const of = { index: index ?? undefined, id: getText(id) };
  return [{ kind: "call", ...of, name: getText(name), arguments: readArguments(given) }];
}

function isIndex(index: Json): index is number {
  return typeof index === "number" && Number.isSafeInteger(index) && index >= 0;
}

/**
 * Finish reasons of OpenAI and of other servers: the answer is complete (`STOPPED`), or it reached its limit (`CUT`).
 */
const STOPPED: ReadonlySet<Json> = new Set(["stop", "tool_calls", "function_call", "eos_token", "stop_sequence"]);
const CUT: ReadonlySet<Json> = new Set(["length", "model_length"]);

function finishSays(finish: Json | undefined): readonly DialectEvent[] {
  // Some providers send an empty reason until the end.
  if (finish === undefined || finish === null || finish === "") return [];
  if (STOPPED.has(finish)) return [{ kind: "finish", reason: "stop" }];
  if (CUT.has(finish)) return [{ kind: "finish", reason: "length" }];
  return makeFault(`it ends its answer${formatErrorWord(finish)} before it is whole`);
}

/** Returns the reported usage. Some providers count reasoning tokens only in the total. */
function parseUsage({ prompt_tokens, completion_tokens, total_tokens }: JsonRecord): readonly DialectEvent[] {
  const [prompt, output, sum] = [countIn(prompt_tokens), countIn(completion_tokens), countIn(total_tokens)];
  const isLess = prompt !== undefined && output !== undefined && sum !== undefined && output < sum - prompt;
  return makeUsage(prompt, isLess ? sum - prompt : output);
}
