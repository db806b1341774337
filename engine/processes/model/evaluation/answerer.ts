// Answerers of a case: weights in the worker's engine, or another model in a separate process.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { isList, isRecord, type Json, readJson } from "../../../lib/policy/index.ts";
import { readPieces } from "../local/answers.ts";
import { renderChat } from "../local/chat.ts";
import type { Decoder } from "../local/decoder.ts";
import { buildGrammar } from "../local/grammar/answers.ts";
import { SYSTEM } from "./asking.ts";
import type { Case } from "./cases.ts";
import type { Answer } from "./judging.ts";

interface Answered {
  readonly answer: Answer;
  readonly cpuSeconds: number;
}

export interface Answerer {
  readonly ask: (asked: Case) => Promise<Answered>;
  readonly close: () => void;
}

/** Maximum tokens of an answer, fewer than `engine/processes/loop` allows; no right answer of our sets has half as many. */
const MOST_TOKENS = 160;

/**
 * Returns an answerer with the chat format, the grammar and the engine of a local model worker. It always takes the
 * likeliest token.
 */
export function createAnswerer(decoder: Decoder): Answerer {
  const ask = async ({ tools, messages }: Case): Promise<Answered> => {
    const began = process.cpuUsage();
    const prompt = decoder.tokenize(renderChat([SYSTEM, ...messages], tools));
    // A prompt that is longer than the context is not sent to the model, and counts as an empty answer.
    if (prompt.length + MOST_TOKENS > decoder.contextTokens) return { answer: { text: "", calls: [] }, cpuSeconds: 0 };
    const decoding = { prompt, mostTokens: MOST_TOKENS, temperature: 0, grammar: buildGrammar(tools, messages) };
    const pieces = readPieces(decoder.answer(decoding, new AbortController().signal), "callable");
    for (;;) {
      const next = await pieces.next();
      if (next.done !== true) continue;
      const { user, system } = process.cpuUsage(began);
      return { answer: { text: next.value.text, calls: next.value.calls }, cpuSeconds: (user + system) / 1e6 };
    }
  };
  return { ask, close: () => undefined };
}

const NEEDLE = new URL("needle.py", import.meta.url).pathname;

/** Starts Needle, which cannot answer in words. An answer without a call means that no tool fits. */
export function startNeedle(folder: string): Answerer {
  const child = spawn("python3", [NEEDLE, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async ({ tools, messages }: Case): Promise<Answered> => {
    const described = tools.map(({ name, description, paramSchema }) => ({
      name,
      description,
      parameters: parseJson(paramSchema),
    }));
    await writeLine(child, JSON.stringify({ tools: described, user: messages[0]?.content ?? "" }));
    const { value, done } = await lines.next();
    if (done === true) throw new Error("needle.py ended before it answered");
    return parseNeedleAnswer(parseJson(value));
  };
  return { ask, close: () => child.stdin.end() };
}

async function writeLine({ stdin }: ChildProcess, line: string): Promise<void> {
  if (stdin !== null && !stdin.write(`${line}\n`)) await once(stdin, "drain");
}

function parseJson(text: string): Json {
  const read = readJson(text);
  if (!read.ok) throw new Error("a line that is no JSON");
  return read.value;
}

function parseNeedleAnswer(line: Json): Answered {
  if (!isRecord(line) || typeof line["cpuSeconds"] !== "number") throw new Error("needle.py answered in another form");
  const made = line["calls"];
  const calls = (made !== undefined && isList(made) ? made : []).flatMap((call, index) =>
    isRecord(call)
      ? [{ id: `${index}`, name: `${call["name"]}`, arguments: JSON.stringify(call["arguments"] ?? {}) }]
      : [],
  );
  return { answer: { text: "", calls }, cpuSeconds: line["cpuSeconds"] };
}
