// Compares the time for a token in the decoder of a local model worker with the time in llama.cpp alone. The grammar of
// the tools restricts only the decoder. Both use the same weights on one thread. `generating-program WEIGHTS FOLDER
// TOKENS` prints the CPU milliseconds for a token of the worker and of the engine, in responses of words and in a call.
// Decoder and engine run alternately, so that other load of the machine affects both. Reading the prompt does not
// count, because the worker remembers it between responses.

import { statSync } from "node:fs";
import type { ToolDescriptor } from "../../../engine/lib/wire/generated/capos.ts";
import { createMessage, createSystemMessage, SYSTEM_PROMPT } from "../../../engine/processes/loop/messages.ts";
import { installEngine } from "../../../engine/processes/model/evaluation/weights.ts";
import { renderChat } from "../../../engine/processes/model/local/chat.ts";
import { Decoder } from "../../../engine/processes/model/local/decoder.ts";
import { buildGrammar, CALL_BEGINS } from "../../../engine/processes/model/local/grammar/answers.ts";
import { readHeader } from "../../../engine/processes/model/local/header.ts";
import { computeMedian } from "./figure.ts";

const [, , weights = "", folder = "", tokens = ""] = process.argv;
const MOST = Number(tokens);
/** Minimum number of tokens for a valid measurement. */
const LEAST = 16;
const ROUNDS = 11;
const BATCH_TOKENS = 64;
const OPTIONS = { contextTokens: 1024, threads: 1 } as const;

const WRITE: ToolDescriptor = {
  name: "notes.write",
  description: "Writes a text to a file of the notes.",
  interfaceId: 1n,
  methodName: "write",
  paramSchema:
    '{"additionalProperties":false,"properties":{"path":{"maxLength":200,"type":"string"},"text":{"type":"string"}},"required":["path","text"],"type":"object"}',
  permission: "auto",
  category: "sideEffect",
};
/** Messages of one round. Answers in words are short, so one measurement contains several answers. */
const ASKED = {
  words: ["Hello, how are you today?", "What is a computer?", "Who are you and what can you do for me?"],
  call: ['Write "long text" to the file a.txt.'],
} as const;
type Kind = keyof typeof ASKED;

const addon = await installEngine(folder);
const header = readHeader(weights, statSync(weights).size);
if (!header.ok) throw new Error(header.reason);
const { reluctance, copying } = header.value;
const decoder = await Decoder.open(addon, weights, { ...OPTIONS, reluctance, copying });
const model = new addon.AddonModel(weights, { addonExports: addon, gpuLayers: 0, useMmap: true, checkTensors: true });
if (decoder === undefined || !(await model.init())) throw new Error(`the engine does not take ${weights}`);
const worker = decoder;
const sizes = { contextSize: OPTIONS.contextTokens, batchSize: BATCH_TOKENS, sequences: 1 } as const;
const context = new addon.AddonContext(model, { ...sizes, threads: OPTIONS.threads, flashAttention: false });
if (!(await context.init())) throw new Error("the engine makes no context");

const createConversation = (words: string) => [createSystemMessage(SYSTEM_PROMPT), createMessage("user", words)];
const promptOf = (words: string): readonly number[] => worker.tokenize(renderChat(createConversation(words), [WRITE]));

/** Computes the CPU milliseconds per token, from the first to the last token of each response. */
class Stretch {
  #began: NodeJS.CpuUsage | undefined;
  #spent = 0;
  #tokens = 0;

  countToken(): void {
    if (this.#began === undefined) this.#began = process.cpuUsage();
    else this.#tokens += 1;
  }

  endStretch(): void {
    const { user, system } = process.cpuUsage(this.#began);
    if (this.#began !== undefined) this.#spent += (user + system) / 1000;
    this.#began = undefined;
  }

  computeMilliseconds(): number {
    if (this.#tokens < LEAST) throw new Error(`${weights} answers with ${this.#tokens} tokens`);
    return this.#spent / this.#tokens;
  }
}

async function measureOurs(kind: Kind): Promise<number> {
  const stretch = new Stretch();
  for (const words of ASKED[kind]) {
    const grammar = buildGrammar([WRITE], createConversation(words));
    const asked = { prompt: promptOf(words), mostTokens: MOST, temperature: 0, grammar };
    let said = "";
    for await (const text of worker.answer(asked, new AbortController().signal)) {
      stretch.countToken();
      said += text;
    }
    stretch.endStretch();
    if (said.startsWith(CALL_BEGINS) !== (kind === "call")) throw new Error(`${words}: ${said}`);
  }
  return stretch.computeMilliseconds();
}

async function measureBare(kind: Kind): Promise<number> {
  const stretch = new Stretch();
  for (const words of ASKED[kind]) {
    await generateTokens(promptOf(words), stretch);
    stretch.endStretch();
  }
  return stretch.computeMilliseconds();
}

async function generateTokens(prompt: readonly number[], stretch: Stretch): Promise<void> {
  const sampler = new addon.AddonSampler(model);
  sampler.applyConfig({ temperature: 0, seed: 1 });
  context.removeTokenCellsFromSequence(0, 0, -1);
  let held = 0;
  const read = async (batch: readonly number[]): Promise<number> => {
    context.initBatch(batch.length);
    const [place = 0] = context.addToBatch(0, held, Uint32Array.from(batch), Uint32Array.of(batch.length - 1));
    await context.decodeBatch();
    held += batch.length;
    return place;
  };
  let place = 0;
  for (let at = 0; at < prompt.length; at += BATCH_TOKENS) place = await read(prompt.slice(at, at + BATCH_TOKENS));
  for (let said = 0; said < MOST; said++) {
    const token = await context.sampleToken(place, sampler);
    if (model.isEogToken(token)) break;
    stretch.countToken();
    place = await read([token]);
  }
  sampler.dispose();
}

async function comparePair(kind: Kind): Promise<{ readonly ours: number; readonly bare: number }> {
  // The first runs read the weights from the disk, so they are not measured.
  await measureOurs(kind);
  await measureBare(kind);
  const pairs: { readonly ours: number; readonly bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    pairs.push({ ours: await measureOurs(kind), bare: await measureBare(kind) });
  const alone = computeMedian(pairs.map((pair) => pair.bare));
  const share = computeMedian(pairs.map((pair) => pair.ours / pair.bare));
  return { ours: share * alone, bare: alone };
}

process.stdout.write(JSON.stringify({ words: await comparePair("words"), call: await comparePair("call") }));
