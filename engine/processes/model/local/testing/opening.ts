// A program for tests: it does what the worker does with a file of weights, in a separate process. For each file the program prints a
// line: the reason of a refusal, or that the weights answer. With --stay the program then waits until its input ends.

import { openSync, readSync, statSync } from "node:fs";
import { parseArgs } from "node:util";
import { MOST_HEAD_BYTES, readGguf } from "../../../../lib/weights/gguf.ts";
import { renderChat } from "../chat.ts";
import { Decoder } from "../decoder.ts";
import { loadEngine } from "../engine.ts";

const { values, positionals } = parseArgs({
  options: { engine: { type: "string", default: "" }, stay: { type: "boolean", default: false } },
  allowPositionals: true,
});
const said: string[] = [];
const loaded = await loadEngine(values.engine, (line) => said.push(line));
if (!loaded.ok) throw new Error(loaded.reason);
const engine = loaded.value;
const held: Decoder[] = [];
for (const path of positionals) process.stdout.write(`${await tryWeights(path)}\n`);
if (values.stay) await new Promise((resolve) => process.stdin.resume().once("end", resolve));
process.exit(0);

async function tryWeights(path: string): Promise<string> {
  const head = Buffer.alloc(Math.min(MOST_HEAD_BYTES, statSync(path).size));
  readSync(openSync(path, "r"), head);
  const header = readGguf(head, statSync(path).size);
  if (!header.ok) return `refused before the engine: ${header.reason}`;
  const decoder = await Decoder.open(engine, path, { contextTokens: 128, threads: 1 });
  if (decoder === undefined) return `refused by the engine: ${said.at(-1) ?? "it does not say why"}`;
  held.push(decoder);
  const asked = { role: "user", content: "hello", toolCallId: "", toolCalls: [] } as const;
  const prompt = decoder.tokenize(renderChat([asked], []));
  try {
    let tokens = 0;
    for await (const _ of decoder.answer({ prompt, mostTokens: 4, temperature: 0.7 }, AbortSignal.timeout(20_000)))
      tokens += 1;
    return `answers: ${tokens} tokens`;
  } catch (error) {
    return `fails: ${error instanceof Error ? error.message : "it does not say why"}`;
  }
}
