// What a model may answer: words, or one call of a tool that it was offered, with arguments that the tool's schema takes.

import { readJson } from "../../../policy/index.ts";
import type { ToolDescriptor } from "../../../wire/generated/capos.ts";
import { argumentsOf } from "./arguments.ts";
import { choice, type Expression, gbnf, repeated, sequence, without, words } from "./expression.ts";

/** What begins a call and nothing else. */
export const CALL_BEGINS = "{";

/** Any words that do not begin like a call, and none at all. */
const WORDS: Expression = repeated(sequence(without([0x7b, 0x7b], [0, 0]), repeated(without([0, 0]), 0)), 0, 1);

/** Answers of a model that is offered these tools; a tool that never runs is none of them, whatever it is advertised for. */
export function answersWith(tools: readonly ToolDescriptor[]): Expression {
  return choice(WORDS, ...tools.flatMap(callOf));
}

/** As the engine reads it. */
export function grammarOf(tools: readonly ToolDescriptor[]): string {
  return gbnf(answersWith(tools));
}

/** A tool whose schema says what is not known here cannot be spelled. */
export function callOf({ name, paramSchema, permission }: ToolDescriptor): readonly Expression[] {
  if (permission === "forbidden") return [];
  const schema = readJson(paramSchema);
  const given = schema.ok ? argumentsOf(schema.value) : undefined;
  if (given === undefined) return [];
  return [sequence(words(`{"name": ${JSON.stringify(name)}, "arguments": `), given, words("}"))];
}
