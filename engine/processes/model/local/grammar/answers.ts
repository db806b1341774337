// Answers that a model may give: text, or one call of an offered tool, with arguments that the tool's schema accepts.

import { type JsonRecord, readJson, recordIn } from "../../../../lib/policy/index.ts";
import type { ChatMessage, ToolDescriptor } from "../../../../lib/wire/generated/capos.ts";
import type { AnswerGrammar } from "../decoder.ts";
import { buildArguments } from "./arguments.ts";
import { BEFORE_NAME } from "./beginning.ts";
import { indexCopies } from "./copies.ts";
import {
  type Expression,
  excludeCharacters,
  findBeginning,
  isWithin,
  makeChoice,
  makeRepeated,
  makeSequence,
  makeWords,
  renderGbnf,
} from "./expression.ts";

/** The character with which every call begins; an answer without a call never begins with it. */
export const CALL_BEGINS = "{";

/** Any text that does not begin like a call, including an empty one. */
const WORDS: Expression = makeRepeated(
  makeSequence(excludeCharacters([0x7b, 0x7b], [0, 0]), makeRepeated(excludeCharacters([0, 0]), 0)),
  0,
  1,
);

/**
 * Returns the grammar of all answers that a model may give if it is offered these tools. The grammar has no calls of a
 * tool that never runs, even if the tool is advertised.
 */
export function buildAnswers(tools: readonly ToolDescriptor[]): Expression {
  return makeWordsOr(tools.flatMap(callOf));
}

const makeWordsOr = (calls: readonly Expression[]): Expression => makeChoice(WORDS, ...calls);

/**
 * Returns the grammar for the engine. With it come two functions that find the forced parts of calls, and the parts
 * that may be copies of earlier text.
 */
export function buildGrammar(tools: readonly ToolDescriptor[], messages: readonly ChatMessage[]): AnswerGrammar {
  const calls = tools.flatMap(callOf);
  const beginnings = calls.map(findBeginning);
  const copies = indexCopies(messages);
  return {
    gbnf: renderGbnf(makeWordsOr(calls)),
    forcedAfter: (text) => findForced(beginnings, text),
    copiedAfter: (text) => (text.startsWith(CALL_BEGINS) ? copies(text) : []),
  };
}

/**
 * Returns the grammar of an answer that fits this schema, or is a call. Returns `undefined` if the schema has no
 * grammar, or if the grammar is too large. An answer that fits a schema with a member `name` could begin like a call,
 * so such a schema has no grammar in a request with tools.
 */
export function buildSchemaGrammar(
  schema: JsonRecord,
  tools: readonly ToolDescriptor[],
  messages: readonly ChatMessage[],
): AnswerGrammar | undefined {
  const value = buildArguments(schema);
  if (value === undefined || !isWithin(value, MOST_GRAMMAR)) return undefined;
  if (tools.length > 0 && Object.hasOwn(recordIn(schema["properties"]), "name")) return undefined;
  const calls = tools.flatMap(callOf);
  return {
    gbnf: renderGbnf(makeChoice(...calls, value)),
    forcedAfter: () => "",
    copiedAfter: indexCopies(messages),
  };
}

/**
 * Returns the text that must follow in every call with this beginning, in whole pieces (see `PIECES`). Returns an empty
 * text if the answer is not a call, because other answers are not restricted. The last piece of such a text is left to
 * the model, because it may lead to a choice (`: ` in `: true`, ` "` in ` "/srv"`). If a part of a piece were forced
 * (`re` of `read` and `rename`), its tokens would differ from those that the model was trained on.
 */
function findForced(beginnings: readonly string[], text: string): string {
  if (!text.startsWith(CALL_BEGINS)) return "";
  const [first = [], ...others] = beginnings
    .filter((each) => each.startsWith(text))
    .map((each) => (each.slice(text.length).match(PIECES) ?? []).slice(0, -1));
  const isShared = (piece: string, at: number): boolean => others.every((other) => other[at] === piece);
  const end = first.findIndex((piece, at) => !isShared(piece, at));
  return first.slice(0, end === -1 ? first.length : end).join("");
}

/** Pieces into which vocabularies split a text before they look up words: letters, one digit, punctuation marks, blanks. */
const PIECES = / ?\p{L}+| ?\p{N}| ?[^\s\p{L}\p{N}]+|\s+/gu;

/**
 * Maximum size of one tool's grammar, in characters as `isWithin` counts them. The engine parses a grammar of that size in about
 * 0.1 s, during which it cannot be stopped. Every tool with which the weights were measured has a grammar of less
 * than a thirtieth of this size.
 */
const MOST_GRAMMAR = 131_072;

/** Returns the grammar of a tool's calls; none if its schema uses an unknown keyword, or if the grammar would be too large. */
export function callOf({ name, paramSchema, permission }: ToolDescriptor): readonly Expression[] {
  if (permission === "forbidden") return [];
  const schema = readJson(paramSchema);
  const given = schema.ok ? buildArguments(schema.value) : undefined;
  if (given === undefined) return [];
  const call = makeSequence(
    makeWords(`${BEFORE_NAME}${JSON.stringify(name).slice(1)}, "arguments": `),
    given,
    makeWords("}"),
  );
  return isWithin(call, MOST_GRAMMAR) ? [call] : [];
}
