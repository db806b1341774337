// Answers as providers write them, for tests.

import type { AnswerResult } from "../../pieces.ts";
import type { Dialect } from "../dialect.ts";
import { Names } from "../names.ts";
import { OPENAI } from "../openai.ts";
import { type Bytes, readPieces } from "../pieces.ts";

export interface Call {
  readonly name: string;
  readonly json: string;
}

/** Returns a whole answer in the dialect. */
export function written(dialect: Dialect, text: readonly string[], calls: readonly Call[]): string {
  return dialect === OPENAI ? openai(text, calls) : ollama(text, calls);
}

/** Returns the text of one event. */
export const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
/** Returns one event of a streamed answer: it adds `said` to the answer, and ends the answer if `finish` is given. */
export const delta = (said: unknown, finish: string | null = null): string =>
  event({ choices: [{ index: 0, delta: said, finish_reason: finish }] });

export const USED = { prompt_tokens: 70, completion_tokens: 30 };

function openai(text: readonly string[], calls: readonly Call[]): string {
  const words = text.map((content) => delta({ content }));
  const pieces = calls.flatMap(({ name, json }, index) => {
    // The text is cut between characters, because half of a surrogate pair is not valid JSON.
    const half = [...json].slice(0, json.length / 3).join("").length;
    return [
      delta({
        tool_calls: [{ index, id: "same", type: "function", function: { name, arguments: json.slice(0, half) } }],
      }),
      delta({ tool_calls: [{ index, function: { arguments: json.slice(half) } }] }),
    ];
  });
  const end = [
    delta({}, calls.length > 0 ? "tool_calls" : "stop"),
    event({ choices: [], usage: USED }),
    "data: [DONE]\n\n",
  ];
  return [": a comment\n\n", delta({ role: "assistant" }), ...words, ...pieces, ...end].join("");
}

function ollama(text: readonly string[], calls: readonly Call[]): string {
  const words = text.map((content) => ({ message: { role: "assistant", content }, done: false }));
  const called = calls.map(({ name, json }) => ({ function: { name, arguments: JSON.parse(json) } }));
  const made = calls.length === 0 ? [] : [{ message: { content: "", tool_calls: called }, done: false }];
  const end = { message: { content: "" }, done: true, done_reason: "stop", prompt_eval_count: 70, eval_count: 30 };
  return [...words, ...made, end].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Reads an answer that arrives in these pieces. Returns the result, the streamed text and the final usage. */
export async function heard(dialect: Dialect, pieces: Iterable<Uint8Array>, names: readonly string[] = [], most = 1e9) {
  let used = 0;
  let told: { promptTokens: number; outputTokens: number } | undefined;
  const permit = {
    output: (tokens: number) => {
      used += tokens;
      return used <= most;
    },
    counted: (usage: { promptTokens: number; outputTokens: number }) => {
      told = { promptTokens: usage.promptTokens, outputTokens: usage.outputTokens };
    },
  };
  const answer = readPieces(bytesOf(pieces), { read: dialect.reader(), names: new Names(names), permit });
  let drawn = "";
  for (;;) {
    const next: IteratorResult<{ textDelta: string }, AnswerResult> = await answer.next();
    if (next.done !== true) {
      drawn += next.value.textDelta;
      continue;
    }
    const { text, calls, fault, isCut } = next.value;
    return { drawn, text, calls, fault, isCut, told, used };
  }
}

async function* bytesOf(pieces: Iterable<Uint8Array>): Bytes {
  for (const piece of pieces) yield piece;
  return undefined;
}
