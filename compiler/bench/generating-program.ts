// Tokens by the worker's decoder and by the engine alone, of the same weights, on one thread: `generating-program WEIGHTS FOLDER
// TOKENS` prints what a token of each cost, in CPU milliseconds. They take turns, so that what else the machine does is shared.

import { engineIn } from "../../engine/model/evaluation/weights.ts";
import { Decoder } from "../../engine/model/local/decoder.ts";

const [, , weights = "", folder = "", tokens = "64"] = process.argv;
const ROUNDS = 3;
const OPTIONS = { contextTokens: 1024, threads: 1 } as const;

const addon = await engineIn(folder);
const decoder = await Decoder.open(addon, weights, OPTIONS);
const model = new addon.AddonModel(weights, { addonExports: addon, gpuLayers: 0, useMmap: true, checkTensors: true });
if (decoder === undefined || !(await model.init())) throw new Error(`the engine does not take ${weights}`);
const sizes = { contextSize: OPTIONS.contextTokens, batchSize: 64, sequences: 1 } as const;
const context = new addon.AddonContext(model, { ...sizes, threads: OPTIONS.threads, flashAttention: false });
if (!(await context.init())) throw new Error("the engine makes no context");
const prompt = decoder.tokensOf([{ text: "The quick brown fox and what it did then, told at length:", isMark: false }]);

async function ours(): Promise<number> {
  if (decoder === undefined) return 0;
  let said = 0;
  const asked = { prompt, mostTokens: Number(tokens), temperature: 0 };
  for await (const _ of decoder.answer(asked, new AbortController().signal)) said += 1;
  return said;
}

async function bare(): Promise<number> {
  const sampler = new addon.AddonSampler(model);
  sampler.applyConfig({ temperature: 0, seed: 1 });
  context.removeTokenCellsFromSequence(0, 0, -1);
  let [batch, at, said] = [Uint32Array.from(prompt), 0, 0];
  while (said < Number(tokens)) {
    context.initBatch(batch.length);
    const [place = 0] = context.addToBatch(0, at, batch, Uint32Array.of(batch.length - 1));
    await context.decodeBatch();
    at += batch.length;
    const token = await context.sampleToken(place, sampler);
    if (model.isEogToken(token)) break;
    batch = Uint32Array.of(token);
    said += 1;
  }
  sampler.dispose();
  return said;
}

async function millisecondsOf(answer: () => Promise<number>): Promise<number> {
  const began = process.cpuUsage();
  const said = await answer();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000 / Math.max(1, said);
}

const best = { ours: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY };
await millisecondsOf(ours);
await millisecondsOf(bare);
for (let round = 0; round < ROUNDS; round++) {
  best.ours = Math.min(best.ours, await millisecondsOf(ours));
  best.bare = Math.min(best.bare, await millisecondsOf(bare));
}
process.stdout.write(`${JSON.stringify(best)}\n`);
