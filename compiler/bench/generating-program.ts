// Tokens by the worker's decoder and by the engine alone, of the same weights, on one thread: `generating-program WEIGHTS FOLDER
// TOKENS` prints what a token of each cost, in CPU milliseconds. They take turns, so that what else the machine does is shared;
// reading the prompt is not counted: the worker remembers it from one answer to the next.

import { message, SYSTEM_PROMPT, systemMessage } from "../../engine/loop/messages.ts";
import { engineIn } from "../../engine/model/evaluation/weights.ts";
import { chatOf } from "../../engine/model/local/chat.ts";
import { Decoder } from "../../engine/model/local/decoder.ts";
import type { ToolDescriptor } from "../../engine/wire/generated/capos.ts";
import { median } from "./figure.ts";

const [, , weights = "", folder = "", tokens = ""] = process.argv;
const MOST = Number(tokens);
/** Fewer are no measurement. */
const LEAST = 16;
const ROUNDS = 15;
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
const MESSAGES = [systemMessage(SYSTEM_PROMPT), message("user", 'Write "long text" to the file a.txt.')];

const addon = await engineIn(folder);
const decoder = await Decoder.open(addon, weights, OPTIONS);
const model = new addon.AddonModel(weights, { addonExports: addon, gpuLayers: 0, useMmap: true, checkTensors: true });
if (decoder === undefined || !(await model.init())) throw new Error(`the engine does not take ${weights}`);
const worker = decoder;
const sizes = { contextSize: OPTIONS.contextTokens, batchSize: BATCH_TOKENS, sequences: 1 } as const;
const context = new addon.AddonContext(model, { ...sizes, threads: OPTIONS.threads, flashAttention: false });
if (!(await context.init())) throw new Error("the engine makes no context");
const prompt = worker.tokensOf(chatOf(MESSAGES, [WRITE]));

/** Milliseconds of CPU from the first token to the last, by token. */
class Stretch {
  #began: NodeJS.CpuUsage | undefined;
  #said = 0;

  token(): void {
    if (this.#began === undefined) this.#began = process.cpuUsage();
    else this.#said += 1;
  }

  milliseconds(): number {
    if (this.#said < LEAST) throw new Error(`${weights} ended after ${this.#said + 1} tokens`);
    const { user, system } = process.cpuUsage(this.#began);
    return (user + system) / 1000 / this.#said;
  }
}

async function ours(): Promise<number> {
  const stretch = new Stretch();
  const asked = { prompt, mostTokens: MOST, temperature: 0 };
  for await (const _ of worker.answer(asked, new AbortController().signal)) stretch.token();
  return stretch.milliseconds();
}

async function bare(): Promise<number> {
  const stretch = new Stretch();
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
    stretch.token();
    place = await read([token]);
  }
  sampler.dispose();
  return stretch.milliseconds();
}

// The first of each reads the weights from the disk.
await ours();
await bare();
const pairs: { readonly ours: number; readonly bare: number }[] = [];
for (let round = 0; round < ROUNDS; round++) pairs.push({ ours: await ours(), bare: await bare() });
const alone = median(pairs.map((pair) => pair.bare));
const share = median(pairs.map((pair) => pair.ours / pair.bare));
process.stdout.write(JSON.stringify({ ours: share * alone, bare: alone }));
