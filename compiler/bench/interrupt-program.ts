// Presses Ctrl-C while the local worker decodes: half of the times while it reads a long prompt, half while it answers. Tells the
// CPU milliseconds that passed in the whole process, worker and asker, from the interrupt to the end of the stream: the most of all.

import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { duplexPair } from "node:stream";
import { chatOf } from "../../engine/model/local/chat.ts";
import { Decoder } from "../../engine/model/local/decoder.ts";
import { loadEngine } from "../../engine/model/local/engine.ts";
import { infoOf } from "../../engine/model/local/introduction.ts";
import { serveLocal } from "../../engine/model/local/serve.ts";
import { Permits } from "../../engine/model/permits.ts";
import { Turns } from "../../engine/model/turns.ts";
import { placeOf } from "../../engine/rootfs/inputs.ts";
import { LLAMA_FILES, LLAMA_FOLDER } from "../../engine/rootfs/llama.ts";
import { type InferenceRequest, LanguageModel, TokenStream } from "../../engine/wire/generated/capos.ts";
import { connect } from "../../engine/wire/index.ts";

const TIMES = 20;
const CONTEXT_TOKENS = 2048;

const [, , checkout = "", weights = "", folder = ""] = process.argv;
// The engine's files laid out as in an image.
for (const { path, input } of LLAMA_FILES) {
  const place = join(folder, path.slice(LLAMA_FOLDER.length));
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(placeOf(checkout, input), place);
}
const engine = await loadEngine(folder, () => {});
if (!engine.ok) throw new Error(engine.reason);
const decoder = await Decoder.open(engine.value, weights, { contextTokens: CONTEXT_TOKENS, threads: 1 });
if (decoder === undefined) throw new Error("the engine does not take the weights");

const content = "Tell me all that you know of the house. ".repeat(20);
const messages: InferenceRequest["messages"] = [{ role: "user", content, toolCallId: "", toolCalls: [] }];
const prompt = decoder.tokensOf(chatOf(messages, [])).length;
if (prompt < CONTEXT_TOKENS / 4) throw new Error(`a prompt of ${prompt} tokens is none that keeps a worker busy`);

const card = {
  schemaVersion: 1,
  id: "llama:sha256-00",
  displayName: "bench",
  arch: "llama",
  quantisation: "f32",
  contextTokens: CONTEXT_TOKENS,
  sha256: new Uint8Array(),
  verity: { contentBytes: 0n, salt: new Uint8Array(), rootHash: new Uint8Array() },
};
const permits = new Permits();
const [mine, theirs] = duplexPair();
const info = infoOf(card, { id: card.id, contextTokens: CONTEXT_TOKENS, callsTools: false });
serveLocal(theirs, { decoder, info, turns: new Turns() }, permits);
const worker = connect(mine);

/** CPU milliseconds from the interrupt to the end of the stream. */
async function interrupted(time: number): Promise<number> {
  const nonce = Buffer.alloc(16, time);
  permits.allow(nonce, CONTEXT_TOKENS);
  const more = { tools: [], maxTokens: 1000, temperature: 0, stopSequences: [], responseSchema: "", nonce };
  // Words of its own, so that nothing of it was read before.
  const own = messages.map((message) => ({ ...message, content: `${time} ${content}` }));
  const opened = await worker.call(LanguageModel.methods.stream, { req: { messages: own, ...more } });
  if (!opened.ok) throw new Error(opened.reason);
  const next = () => worker.call(TokenStream.methods.next, {});
  const first = next();
  if (time % 2 === 0) await first;
  else await new Promise<void>((begun) => setImmediate(begun));
  const before = process.cpuUsage();
  await worker.call(TokenStream.methods.cancel, {});
  await first;
  const last = await next();
  const { user, system } = process.cpuUsage(before);
  if (!last.ok || !last.value.done) throw new Error("the stream goes on behind an interrupt");
  return (user + system) / 1000;
}

let most = 0;
for (let time = 0; time < TIMES; time += 1) most = Math.max(most, await interrupted(time));
process.stdout.write(`${most}\n`);
process.exit(0);
