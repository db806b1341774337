// Simulates a model provider for a machine, as a part of the web server of `capc run --web DIR`. If DIR contains
// PATH.openai.json or PATH.ollama.json, a POST to PATH gets a response in that dialect. The responses are canned, like
// the replies of the stub model. An entry with a `status` is sent as an HTTP response with this status, to simulate a
// failure.

import {
  getText,
  isList,
  type Json,
  type JsonRecord,
  listIn,
  readJson,
  recordIn,
} from "../../engine/lib/policy/index.ts";
import type { ChatMessage } from "../../engine/lib/wire/generated/capos.ts";
import { readReplies } from "../../engine/processes/model/replies.ts";
import { type Answer, answerOf } from "../../engine/processes/model/stub.ts";

export type ProviderDialect = "openai" | "ollama";

export interface CannedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces of the body, sent one after the other. */
  readonly pieces: readonly string[];
  /** Whether the response stays open: no piece follows the last one, and the connection is kept. */
  readonly neverEnds: boolean;
}

const CHARACTERS = 16;
const TYPES: Readonly<Record<ProviderDialect, string>> = {
  openai: "text/event-stream",
  ollama: "application/x-ndjson",
};

/**
 * Returns a provider's response to a request. `rules` is the text of the file with the canned replies; `body` is the body of the request.
 */
export function providerAnswer(dialect: ProviderDialect, rules: string, body: string): CannedResponse {
  const [asked, entries] = [readJson(body), readJson(rules)];
  if (!asked.ok || !entries.ok || !isList(entries.value))
    return plain(400, "this is no request, or no list of replies");
  const messages = messagesIn(asked.value);
  const fault = entries.value.map(recordIn).find((entry) => "status" in entry && isMeant(entry, messages));
  if (fault !== undefined) return faultOf(fault);
  const canned = entries.value.filter((entry) => !("status" in recordIn(entry)));
  const replies = readReplies(Buffer.from(JSON.stringify(canned)));
  if (!replies.ok) return plain(500, replies.reason);
  const answer = answerOf(replies.value, { messages, tools: [] });
  const pieces = dialect === "openai" ? events(answer) : lines(answer);
  const neverEnds = answer.pausesUntilCancelled;
  return {
    status: 200,
    headers: { "content-type": TYPES[dialect] },
    pieces: neverEnds ? pieces.slice(0, -END_PIECES[dialect]) : pieces,
    neverEnds,
  };
}

function plain(status: number, text: string): CannedResponse {
  return { status, headers: { "content-type": "text/plain" }, pieces: [text], neverEnds: false };
}

function isMeant({ when }: JsonRecord, messages: readonly ChatMessage[]): boolean {
  const newest = messages.at(-1);
  return newest?.role === "user" && recordIn(when)["user"] === newest.content;
}

function faultOf({ status, headers, body }: JsonRecord): CannedResponse {
  const told = Object.entries(recordIn(headers)).map(([name, value]) => [name, getText(value)] as const);
  const code = typeof status === "number" ? status : 500;
  return { status: code, headers: Object.fromEntries(told), pieces: [getText(body)], neverEnds: false };
}

/**
 * Returns the conversation of a request in either dialect. In OpenAI's dialect a result has the id of its call; in
 * Ollama's dialect it has the name of the tool.
 */
function messagesIn(asked: Json): readonly ChatMessage[] {
  const messages = listIn(recordIn(asked)["messages"]).map(recordIn);
  return messages.map(({ role, content, tool_calls: calls, tool_call_id: id, tool_name: name }) => ({
    role: ROLES.find((known) => known === role) ?? "user",
    content: getText(content),
    toolCallId: getText(id) || getText(name),
    toolCalls: listIn(calls)
      .map(recordIn)
      .map((call) => {
        const named = getText(recordIn(call["function"])["name"]);
        return { id: getText(call["id"]) || named, name: named, arguments: "" };
      }),
  }));
}

const ROLES = ["system", "user", "assistant", "tool"] as const;

function events({ text, calls }: Answer): readonly string[] {
  const delta = (said: object, finish: string | null = null): string =>
    event({ choices: [{ index: 0, delta: said, finish_reason: finish }] });
  return [
    ...cut(text).map((content) => delta({ content })),
    ...calls.flatMap(({ id, name, arguments: json }, index) => [
      delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      ...cut(json).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    delta({}, calls.length > 0 ? "tool_calls" : "stop"),
    "data: [DONE]\n\n",
  ];
}

function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function lines({ text, calls }: Answer): readonly string[] {
  const called = calls.map(({ name, arguments: json }) => {
    const read = readJson(json);
    return { function: { name, arguments: read.ok ? read.value : {} } };
  });
  const said = cut(text).map((content) => ({ message: { role: "assistant", content }, done: false }));
  const made = called.length === 0 ? [] : [{ message: { content: "", tool_calls: called }, done: false }];
  const end = { message: { content: "" }, done: true, done_reason: "stop", prompt_eval_count: 40, eval_count: 20 };
  return [...said, ...made, end].map((line) => `${JSON.stringify(line)}\n`);
}

/** Number of pieces that mark the end of a response. */
const END_PIECES: Readonly<Record<ProviderDialect, number>> = { openai: 2, ollama: 1 };

function cut(text: string): readonly string[] {
  const points = [...text];
  return Array.from({ length: Math.ceil(points.length / CHARACTERS) }, (_, index) =>
    points.slice(index * CHARACTERS, (index + 1) * CHARACTERS).join(""),
  );
}
