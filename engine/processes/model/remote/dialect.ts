// Common parts of the providers' dialects: requests, and the events of an answer's lines.

import {
  getText,
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  renderCanonicalJson,
} from "../../../lib/policy/index.ts";
import type { ChatMessage, ToolDescriptor } from "../../../lib/wire/generated/capos.ts";

export interface DialectRequest {
  /** Provider's name of the model. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDescriptor[];
  readonly mostTokens: number;
  readonly temperature: number;
  readonly stops: readonly string[];
  /** Schema of the answer. The provider receives the schema, and the answer is checked in any case. */
  readonly schema?: JsonRecord;
}

/** Event that a line of an answer contains. Only events of kind `call` are calls; text that only looks like a call is text. */
export type DialectEvent =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "call";
      /** Index of the call; absent if the provider gives none. */
      readonly index: number | undefined;
      /** Id of the call; empty if the provider gives none. */
      readonly id: string;
      /** The name of the tool; empty in a piece that only continues a call. */
      readonly name: string;
      readonly arguments: string;
    }
  | { readonly kind: "usage"; readonly promptTokens: number; readonly outputTokens: number }
  /** `length`: the answer reached its limit. */
  | { readonly kind: "finish"; readonly reason: "stop" | "length" }
  /** End of the answer: no event follows. */
  | { readonly kind: "end" }
  | { readonly kind: "fault"; readonly why: string };

/** Reads the lines of one answer, in order. */
export type Reader = (line: string) => readonly DialectEvent[];

export interface Dialect {
  readonly name: "openai" | "ollama";
  /** Content type of an answer in this dialect. */
  readonly contentType: string;
  /** Returns the body of a request as JSON. */
  readonly request: (asked: DialectRequest) => Json;
  readonly reader: () => Reader;
}

export const makeFault = (why: string): readonly DialectEvent[] => [{ kind: "fault", why }];

/** Returns the arguments of a call as text, whether they are given as text or as a value; empty if absent. */
export function readArguments(given: Json | undefined): string {
  if (given === undefined || given === null) return "";
  return typeof given === "string" ? given : renderCanonicalJson(given);
}

/** Returns the text of a message's content, which is a text or a list of parts, some of them text. */
export function readContent(content: Json | undefined): string {
  if (content === undefined || !isList(content)) return getText(content);
  return content.map((part) => (isRecord(part) ? getText(part["text"]) : getText(part))).join("");
}

/** Returns a count of tokens, or `undefined` if the value is not one. */
export function countIn(value: Json | undefined): number | undefined {
  const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
  return isCount ? Math.min(value, 0xffff_ffff) : undefined;
}

/** Returns the usage that a provider reports, or an empty list if it does not report both counts. */
export function makeUsage(promptTokens: number | undefined, outputTokens: number | undefined): readonly DialectEvent[] {
  if (promptTokens === undefined || outputTokens === undefined) return [];
  return [{ kind: "usage", promptTokens, outputTokens }];
}

/**
 * Returns a word of a provider's error that people can look up. The function never returns the provider's sentences, because they
 * would look like our own text.
 */
export function formatErrorWord(value: Json | undefined): string {
  const text = getText(value);
  return /^[\w.-]{1,64}$/.test(text) ? ` (${text})` : "";
}
