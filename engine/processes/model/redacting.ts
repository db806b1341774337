// Masks in a request what a backend must not read, before any other code of the worker sees it: fields, copies of their values
// anywhere in the request, and texts that match a pattern. Every text of a request is searched; a test compares the list of
// texts with the schema.
import {
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  parseSearchPattern,
  readJson,
  renderCanonicalJson,
} from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Masked } from "../../lib/wire/generated/audit.ts";
import type { ChatMessage, InferenceRequest, ToolCall, ToolDescriptor } from "../../lib/wire/generated/capos.ts";
import type { Redaction, RedactionField } from "../../lib/wire/generated/policy.ts";
import { SCHEMA_WORDS } from "./answer-schema.ts";
import { createSearchBudget, MASK, type Render, SearchedTexts, type Sought } from "./searched-texts.ts";

/** Fewest characters of a masked value that is also searched for in other texts; a shorter value occurs there by chance. */
const LEAST_VALUE = 6;
/** Matches the loop's note about which tool returned a recalled message. */
const RECALLED = / by the tool (\S+) \(\w+\) in turn \d+$/;
const UNSEARCHABLE = "the conversation is too long to be searched for what the page masks, and was not sent";
const MASKED_SETTING =
  "a stop sequence or the responseSchema holds text that the page masks for this backend, and the request was not sent";

type SearchedRequest = Pick<InferenceRequest, "messages" | "tools" | "stopSequences" | "responseSchema">;

interface Redacted<T> {
  readonly request: T;
  /** For each redaction, in order, its name and the number of places that it masked. */
  readonly masked: readonly Masked[];
}

/** Returns the request in the form that its backend may receive, or why it must not be sent at all. */
export function redactRequest<T extends SearchedRequest>(
  redactions: readonly Redaction[],
  request: T,
): Result<Redacted<T>> {
  if (redactions.length === 0) return accept({ request, masked: [] });
  const patterns = redactions.map((redaction) => redaction.patterns.flatMap((text) => parseSearchPattern(text) ?? []));
  // Tables with an unreadable pattern are refused when they are loaded, so this is a second check.
  if (patterns.some((known, index) => known.length !== redactions[index]?.patterns.length)) return refuse(UNSEARCHABLE);
  const fields = new Fields(redactions);
  const budget = createSearchBudget();
  const [spoken, described] = [new SearchedTexts(budget), new SearchedTexts(budget)];
  const messages = fields.maskMessages(request.messages).map((message) => addMessage(spoken, message));
  const tools = request.tools.map((tool) => addTool(described, tool));
  const sought = patterns.map((known, index) => ({ patterns: known, values: [...(fields.values[index] ?? [])] }));
  const inMessages = spoken.search(sought);
  // Values of fields are not searched in the tools: otherwise a field with the value `content` would mask an argument
  // of that name.
  const inTools = described.search(patterns.map((known) => ({ patterns: known, values: [] })));
  if (inMessages === undefined || inTools === undefined) return refuse(UNSEARCHABLE);
  const fault = findMaskedSetting(new SearchedTexts(budget), request, sought);
  if (fault !== undefined) return refuse(fault);
  const wholes = spoken.wholes + described.wholes;
  const masked = redactions.map(({ name }, index) => ({
    redaction: name,
    // If a whole text is masked, it is unknown which redaction applies, so the count of each redaction includes it.
    places: (inMessages[index] ?? 0) + (inTools[index] ?? 0) + (fields.places[index] ?? 0) + wholes,
  }));
  const heard = { messages: messages.map((render) => render()), tools: tools.map((render) => render()) };
  return accept({ request: { ...request, ...heard }, masked });
}

/** Returns texts in the form that their backend may receive, or why it must not receive them. */
export function redactTexts(redactions: readonly Redaction[], texts: readonly string[]): Result<readonly string[]> {
  const redacted = redactRequest(redactions, {
    messages: texts.map((content) => ({ role: "user", content, toolCallId: "", toolCalls: [] })),
    ...{ tools: [], stopSequences: [], responseSchema: "" },
  });
  return redacted.ok ? accept(redacted.value.request.messages.map(({ content }) => content)) : redacted;
}

/**
 * Finds text that must be masked in the stop sequences and the schema of a request. Returns why the request must not be
 * sent, or `undefined` if there is no such text. If the stop sequences or the schema were masked, the answer would end
 * at another place or have another form than requested.
 */
function findMaskedSetting(
  texts: SearchedTexts,
  { stopSequences, responseSchema }: SearchedRequest,
  sought: readonly Sought[],
): string | undefined {
  // Stop sequences are searched as one text, because they are consecutive: this also finds a match that they split.
  for (const sequence of stopSequences) texts.addText(sequence);
  addSchema(texts, responseSchema);
  const places = texts.search(sought);
  if (places === undefined) return UNSEARCHABLE;
  return texts.wholes === 0 && places.every((count) => count === 0) ? undefined : MASKED_SETTING;
}

/**
 * Adds all names and values of a schema to the texts that are searched. Keywords of JSON Schema are not added, because
 * they reveal nothing about a conversation.
 */
function addSchema(texts: SearchedTexts, schema: string): void {
  const read = readJson(schema);
  if (!read.ok) texts.addText(schema);
  else addSchemaPart(texts, read.value);
}

function addSchemaPart(texts: SearchedTexts, part: Json): void {
  if (isList(part)) for (const element of part) addSchemaPart(texts, element);
  else if (isRecord(part)) {
    for (const [name, value] of Object.entries(part)) {
      addSchemaPart(texts, name);
      addSchemaPart(texts, value);
    }
  } else if (typeof part !== "string") texts.addWord(renderCanonicalJson(part));
  else if (!SCHEMA_WORDS.has(part)) texts.addText(part, MASK, 1);
}

function addMessage(texts: SearchedTexts, message: ChatMessage): Render<ChatMessage> {
  const content = texts.addText(message.content);
  const toolCallId = texts.addWord(message.toolCallId);
  const calls = message.toolCalls.map((call) => addCall(texts, call));
  return () => ({
    ...message,
    content: content(),
    toolCallId: toolCallId(),
    toolCalls: calls.map((render) => render()),
  });
}

function addCall(texts: SearchedTexts, call: ToolCall): Render<ToolCall> {
  const id = texts.addWord(call.id);
  const name = texts.addWord(call.name);
  const args = texts.addText(call.arguments, renderCanonicalJson({ redacted: MASK }));
  return () => ({ id: id(), name: name(), arguments: args() });
}

function addTool(texts: SearchedTexts, tool: ToolDescriptor): Render<ToolDescriptor> {
  const name = texts.addWord(tool.name);
  const methodName = texts.addWord(tool.methodName);
  const category = texts.addWord(tool.category);
  const description = texts.addText(tool.description, MASK, 1);
  const paramSchema = texts.addText(tool.paramSchema, MASK, 1);
  return () => ({
    ...tool,
    name: name(),
    description: description(),
    methodName: methodName(),
    paramSchema: paramSchema(),
    category: category(),
  });
}

/** A field to mask, with the index of its redaction. */
interface PlacedField extends RedactionField {
  readonly redaction: number;
}

/** Masks the fields that the page names. */
class Fields {
  /** Number of masked fields, by redaction. */
  readonly places: number[];
  /** Values of the masked fields, by redaction. */
  readonly values: readonly Set<string>[];
  readonly #results: readonly PlacedField[];
  readonly #arguments: readonly PlacedField[];

  constructor(redactions: readonly Redaction[]) {
    this.places = redactions.map(() => 0);
    this.values = redactions.map(() => new Set());
    const collect = (which: "results" | "arguments") =>
      redactions.flatMap((one, redaction) => one[which].map((field) => ({ ...field, redaction })));
    this.#results = collect("results");
    this.#arguments = collect("arguments");
  }

  maskMessages(messages: readonly ChatMessage[]): readonly ChatMessage[] {
    const callers = new Map<string, string>();
    return messages.map((message) => {
      const caller = message.role === "tool" ? (callers.get(message.toolCallId) ?? "") : "";
      for (const { id, name } of message.toolCalls) callers.set(id, name);
      return {
        ...message,
        content: this.#maskContent(message, caller),
        toolCalls: message.toolCalls.map((call) => this.#maskArguments(call)),
      };
    });
  }

  /** `caller` is the tool whose call the message answers; empty if the message answers no call. */
  #maskContent({ role, content }: ChatMessage, caller: string): string {
    const read = readJson(content);
    const record = read.ok && isRecord(read.value) ? read.value : undefined;
    const { source: named, content: result, outcome, error } = record ?? {};
    const source = typeof named === "string" ? named : "";
    const tools = role === "tool" ? [source, caller] : [RECALLED.exec(source)?.[1] ?? ""];
    const fields = this.#results.filter(({ tool }) => tools.includes(tool));
    if (fields.length === 0) return content;
    if (record === undefined) return this.#maskWhole(fields);
    const changed = {
      ...record,
      ...(result === undefined ? {} : { content: this.#maskResult(result, fields) }),
      // Only an execution error may contain text of the tool; other errors are the gate's own text.
      ...(outcome === "executionError" && error !== undefined ? { error: this.#maskWhole(fields) } : {}),
    };
    return renderCanonicalJson(changed);
  }

  #maskArguments(call: ToolCall): ToolCall {
    const fields = this.#arguments.filter(({ tool }) => tool === call.name);
    if (fields.length === 0) return call;
    const read = readJson(call.arguments);
    const masked =
      read.ok && isRecord(read.value) ? this.#maskRecord(read.value, fields) : { redacted: this.#maskWhole(fields) };
    return { ...call, arguments: renderCanonicalJson(masked) };
  }

  /**
   * Masks a result of a tool. A gate writes it in one of three forms: canonical JSON, a text in a record, or JSON
   * followed by a text.
   */
  #maskResult(content: Json, fields: readonly PlacedField[]): Json {
    if (typeof content !== "string") return this.#maskWhole(fields);
    const [first = "", ...others] = content.split("\n");
    const read = readJson(first);
    if (!read.ok || !isRecord(read.value) || others.length > 1) return this.#maskWhole(fields);
    const { value } = read;
    const isText = Object.keys(value).join() === "text" && fields.some(({ name }) => !/^text(?:\.|$)/.test(name));
    if (isText || others.length > 0) {
      const rest = isText ? { text: this.#maskWhole(fields) } : this.#maskRecord(value, fields);
      return [rest, ...others.map(() => MASK)].map(renderCanonicalJson).join("\n");
    }
    return renderCanonicalJson(this.#maskRecord(value, fields));
  }

  #maskRecord(record: JsonRecord, fields: readonly PlacedField[]): Json {
    return fields.reduce<Json>((rest, field) => this.#maskField(rest, field, field.name.split(".")), record);
  }

  /** Masks the value at a path, in every element of each list on it, and inside a text that is JSON. */
  #maskField(value: Json, field: PlacedField, path: readonly string[]): Json {
    const [name, ...rest] = path;
    if (name === undefined) {
      this.#addValues(value, field.redaction);
      return this.#maskWhole([field]);
    }
    if (isList(value)) return value.map((element) => this.#maskField(element, field, path));
    if (isRecord(value)) {
      const inner = Object.hasOwn(value, name) ? value[name] : undefined;
      return inner === undefined ? value : { ...value, [name]: this.#maskField(inner, field, rest) };
    }
    if (typeof value !== "string" || value === MASK) return value;
    const read = readJson(value);
    const isJson = read.ok && (isRecord(read.value) || isList(read.value));
    // The text may be truncated JSON, in which the field can no longer be located.
    return isJson ? renderCanonicalJson(this.#maskField(read.value, field, path)) : this.#maskWhole([field]);
  }

  #addValues(value: Json, redaction: number): void {
    if (isList(value)) for (const element of value) this.#addValues(element, redaction);
    else if (isRecord(value)) for (const element of Object.values(value)) this.#addValues(element, redaction);
    else {
      const text = typeof value === "string" ? value.trim() : renderCanonicalJson(value);
      if (text.length >= LEAST_VALUE && text !== MASK) this.values[redaction]?.add(text);
    }
  }

  #maskWhole(fields: readonly PlacedField[]): string {
    for (const redaction of new Set(fields.map((field) => field.redaction)))
      this.places[redaction] = (this.places[redaction] ?? 0) + 1;
    return MASK;
  }
}
