// Masks in a request what the page keeps from a backend, before anything else of the worker hears it: fields where they stand, what they
// held wherever it stands again, and texts of a pattern.
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
import type { ChatMessage, ToolCall } from "../../lib/wire/generated/capos.ts";
import type { Redaction, RedactionField } from "../../lib/wire/generated/policy.ts";
import { MASK, type Render, SearchedTexts } from "./searched-texts.ts";

/** A shorter value of a field stands in other texts by chance. */
const LEAST_VALUE = 6;
/** Matches the loop's note about which tool returned a recalled message. */
const RECALLED = / by the tool (\S+) \(\w+\) in turn \d+$/;
const UNSEARCHABLE = "the conversation is too long to be searched for what the page masks, and was not sent";

interface RedactedRequest {
  readonly messages: readonly ChatMessage[];
  /** Masked places and values, one entry for each redaction, in its order. */
  readonly masked: readonly Masked[];
}

/** Returns the messages as their backend may hear them, or why they must not be sent at all. */
export function redactMessages(
  redactions: readonly Redaction[],
  messages: readonly ChatMessage[],
): Result<RedactedRequest> {
  if (redactions.length === 0) return accept({ messages, masked: [] });
  const patterns = redactions.map((redaction) => redaction.patterns.flatMap((text) => parseSearchPattern(text) ?? []));
  // Tables that say so were refused before.
  if (patterns.some((known, index) => known.length !== redactions[index]?.patterns.length)) return refuse(UNSEARCHABLE);
  const fields = new Fields(redactions);
  const texts = new SearchedTexts();
  const renders = fields.maskMessages(messages).map((message) => addMessage(texts, message));
  const sought = patterns.map((known, index) => ({ patterns: known, values: [...(fields.values[index] ?? [])] }));
  const places = texts.search(sought);
  if (places === undefined) return refuse(UNSEARCHABLE);
  const masked = redactions.map(({ name }, index) => ({
    redaction: name,
    // If a text is masked as a whole, the part of each redaction is unknown, so it counts for each.
    places: (places[index] ?? 0) + (fields.places[index] ?? 0) + texts.wholes,
  }));
  return accept({ messages: renders.map((render) => render()), masked });
}

/** Returns texts as their backend may hear them, or why it must not. */
export function redactTexts(redactions: readonly Redaction[], texts: readonly string[]): Result<readonly string[]> {
  const redacted = redactMessages(
    redactions,
    texts.map((content) => ({ role: "user", content, toolCallId: "", toolCalls: [] })),
  );
  return redacted.ok ? accept(redacted.value.messages.map(({ content }) => content)) : redacted;
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

/** A field with the place of its redaction. */
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

  /** `caller`: the tool whose call the message answers; empty if it answers none. */
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
      // All other errors are the gate's own words.
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

  /** A result as the gate gives it: canonical JSON, a text in a record, or JSON with a text behind it. */
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

  /** A path goes into every element of a list that it meets, and into a text that is JSON. */
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
    // It may be such a text that was cut.
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
