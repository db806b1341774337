// The stub model: the same conversation always gets the same answer. The stub reads only the newest message of a
// conversation. Of a tool's message it reads the outcome, the error, and the fields of the result.
import { isRecord, type Json, readJson, renderCanonicalJson } from "../../lib/policy/index.ts";
import type { ChatMessage, InferenceRequest, ToolCall } from "../../lib/wire/generated/capos.ts";
import { type CannedReply, fillPlaceholders } from "./replies.ts";

export interface Answer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly pausesUntilCancelled: boolean;
}

/** Parsed tool message, as the loop writes it: {"outcome", "content" | "error"}. */
interface ToolReport {
  readonly name: string;
  readonly outcome: string;
  readonly fields: ReadonlyMap<string, Json>;
}

/** Part of a request that the stub reads. */
export type StubRequest = Pick<InferenceRequest, "messages" | "tools">;

export function answerOf(replies: readonly CannedReply[], { messages, tools }: StubRequest): Answer {
  const newest = messages.at(-1);
  const report = newest?.role === "tool" ? reportOf(messages, newest) : undefined;
  const reply = replies.find(({ when }) =>
    when.which === "user"
      ? newest?.role === "user" && newest.content === when.line
      : report?.name === when.name && report.outcome === when.outcome,
  );
  if (reply === undefined) return { text: describeUnknown(replies, report), calls: [], pausesUntilCancelled: false };
  const fields = report?.fields ?? new Map([["tools", tools.map(({ name }) => name).join(", ")]]);
  const text = fillPlaceholders(reply.say, ([name = "", ...inner]) => {
    const value = findInner(fields.get(name), inner);
    return value === undefined ? undefined : renderValue(value);
  });
  return { text, calls: numberCalls(reply, messages), pausesUntilCancelled: reply.pausesUntilCancelled };
}

/** Returns calls with ids that continue through the conversation, so that no two calls share one. */
function numberCalls(reply: CannedReply, messages: readonly ChatMessage[]): readonly ToolCall[] {
  const before = messages.reduce((sum, message) => sum + message.toolCalls.length, 0);
  return reply.call.map((call, index) => ({ id: `call-${before + index + 1}`, ...call }));
}

function reportOf(messages: readonly ChatMessage[], message: ChatMessage): ToolReport {
  const call = messages.flatMap(({ toolCalls }) => toolCalls).find(({ id }) => id === message.toolCallId);
  const report = readFields(message.content);
  const fields = new Map(readFields(renderValue(report.get("content") ?? "")));
  fields.set("error", report.get("error") ?? "");
  return { name: call?.name ?? "", outcome: renderValue(report.get("outcome") ?? ""), fields };
}

/** Returns the fields of a JSON object; none for any other text. */
function readFields(json: string): ReadonlyMap<string, Json> {
  const read = readJson(json);
  return new Map(read.ok && isRecord(read.value) ? Object.entries(read.value) : []);
}

/** Returns the value at a path of fields in a value, or `undefined` if there is none. */
function findInner(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (value === undefined || name === undefined) return value;
  return isRecord(value) && Object.hasOwn(value, name) ? findInner(value[name], rest) : undefined;
}

function renderValue(value: Json): string {
  return typeof value === "string" ? value : renderCanonicalJson(value);
}

function describeUnknown(replies: readonly CannedReply[], report: ToolReport | undefined): string {
  if (report !== undefined) return `${report.name}: ${report.outcome}. I am a stub and have no words for that.`;
  const lines = replies.flatMap(({ when }) => (when.which === "user" ? [`  ${when.line}`] : []));
  return ["I am a stub that replays canned replies, not a model. The lines that I know:", ...lines].join("\n");
}
