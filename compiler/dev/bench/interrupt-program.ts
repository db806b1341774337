// Cancels a response while the local worker is busy, as the loop does when a person presses Ctrl-C. The conversation
// nearly fills the context. The program cancels once in a late batch of the prompt, and once in the response.
// `interrupt-program ENGINE WEIGHTS TIMES` prints the number of tokens of the conversation. For each of the two kinds
// of cancels it prints the maximum CPU milliseconds of the whole process, client included, from the cancel to the end
// of the stream.

import { statSync } from "node:fs";
import { duplexPair } from "node:stream";
import { LanguageModel, TokenStream, type ToolDescriptor } from "../../../engine/lib/wire/generated/capos.ts";
import { connect } from "../../../engine/lib/wire/index.ts";
import { createMessage, createSystemMessage, SYSTEM_PROMPT } from "../../../engine/processes/loop/messages.ts";
import { renderChat } from "../../../engine/processes/model/local/chat.ts";
import { Decoder } from "../../../engine/processes/model/local/decoder.ts";
import { loadEngine } from "../../../engine/processes/model/local/engine.ts";
import { readHeader } from "../../../engine/processes/model/local/header.ts";
import { buildInfo } from "../../../engine/processes/model/local/introduction.ts";
import { serveLocal } from "../../../engine/processes/model/local/serve.ts";
import { Permits } from "../../../engine/processes/model/permits.ts";
import { Turns } from "../../../engine/processes/model/turns.ts";
import { bug } from "../../../lang/diagnostics/index.ts";

/** Context in tokens, as in `examples/offline-agent`. */
const CONTEXT_TOKENS = 2048;
/** Tokens reserved for the response. */
const ANSWER_TOKENS = 32;
/** Minimum number of new tokens in each request, so that the engine reads them in several batches. */
const NEW_TOKENS = 96;
/** Maximum number of new tokens that are still unread at the moment of the cancel, when a batch has just begun. */
const LEFT_TOKENS = 56;

const [, , engineFolder = "", weights = "", times = ""] = process.argv;
const TIMES = Number(times);

const TOOLS: readonly ToolDescriptor[] = ["read", "list", "write", "delete"].map((name) => ({
  name: `notes.${name}`,
  description: `${name}s a file of the notes, by its path.`,
  interfaceId: 1n,
  methodName: name,
  paramSchema:
    '{"additionalProperties":false,"properties":{"path":{"maxLength":200,"type":"string"}},"required":["path"],"type":"object"}',
  permission: "auto",
  category: "readOnly",
}));

const engine = await loadEngine(engineFolder, () => {});
if (!engine.ok) throw new Error(engine.reason);
const header = readHeader(weights, statSync(weights).size);
if (!header.ok) throw new Error(header.reason);
const { reluctance, copying } = header.value;
const options = { contextTokens: CONTEXT_TOKENS, threads: 1, reluctance, copying };
const decoder = (await Decoder.open(engine.value, weights, options)) ?? bug("the engine does not take the weights");

const SENTENCE = "The house has a door, and behind it there is a hall. ";
const createConversation = (before: number, own: string, after: number) => [
  createSystemMessage(SYSTEM_PROMPT),
  createMessage("user", SENTENCE.repeat(before)),
  createMessage("user", `${own} ${SENTENCE.repeat(after)}Tell me all that you know of the house.`),
];
const countTokens = (messages: ReturnType<typeof createConversation>) =>
  decoder.tokenize(renderChat(messages, TOOLS)).length;

const sentence = countTokens(createConversation(2, "", 0)) - countTokens(createConversation(1, "", 0));
const after = Math.ceil(NEW_TOKENS / sentence);
const room = CONTEXT_TOKENS - ANSWER_TOKENS - countTokens(createConversation(0, "1000", after));
const before = Math.floor(room / sentence);

const card = {
  schemaVersion: 1,
  id: "llama:sha256-00",
  displayName: "bench",
  arch: "llama",
  quantisation: "q4_0",
  contextTokens: CONTEXT_TOKENS,
  sha256: new Uint8Array(),
  verity: { contentBytes: 0n, salt: new Uint8Array(), rootHash: new Uint8Array() },
};
const permits = new Permits();
const [mine, theirs] = duplexPair();
const info = buildInfo(card, { id: card.id, contextTokens: CONTEXT_TOKENS, callsTools: true });
serveLocal(theirs, { decoder, info, turns: new Turns() }, permits);
const worker = connect(mine);

const readNext = () => worker.call(TokenStream.methods.next, {});

let requests = 0;
/** Returns a conversation that ends with a question. The question is different for each `time`. */
const createQuestion = (time: number) => createConversation(before, `${1000 + time}`, after);

async function startAnswer(time: number): Promise<void> {
  requests += 1;
  const nonce = Buffer.alloc(16, requests);
  permits.allow(nonce, CONTEXT_TOKENS);
  const messages = createQuestion(time);
  const how = { maxTokens: 1000, temperature: 0, stopSequences: [], responseSchema: "", nonce };
  const opened = await worker.call(LanguageModel.methods.stream, { req: { messages, tools: [...TOOLS], ...how } });
  if (!opened.ok) throw new Error(opened.reason);
}

/**
 * Returns the CPU milliseconds from the cancel to the end of the stream. `first` is the pending request for the next
 * part of the response.
 */
async function measureCancel(first: ReturnType<typeof readNext>): Promise<number> {
  const began = process.cpuUsage();
  await worker.call(TokenStream.methods.cancel, {});
  await first;
  const last = await readNext();
  const { user, system } = process.cpuUsage(began);
  if (!last.ok || !last.value.done) throw new Error("the stream goes on behind a cancel");
  return (user + system) / 1000;
}

/** Cancels just after one of the last batches of the prompt has begun. */
async function interruptReading(time: number): Promise<number> {
  const known = decoder.computed;
  await startAnswer(time);
  const first = readNext();
  while (decoder.computed - known < NEW_TOKENS - LEFT_TOKENS) await new Promise<void>((turn) => setImmediate(turn));
  const spent = await measureCancel(first);
  if (decoder.computed - known >= NEW_TOKENS) throw new Error("it was cancelled when all was read");
  return spent;
}

/** Cancels just after one of the first tokens of the response has begun. The engine has then read the whole prompt. */
async function interruptAnswering(time: number): Promise<number> {
  await startAnswer(time);
  for (let token = 0; token < 1 + (time % 4); token += 1) {
    const piece = await readNext();
    if (!piece.ok || piece.value.done) throw new Error("the answer ends before it is cancelled");
  }
  return measureCancel(readNext());
}

/** With the first response the engine reads the whole conversation; later responses read only its new end. */
await startAnswer(0);
await readNext();
await worker.call(TokenStream.methods.cancel, {});
const most = { reading: 0, answering: 0 };
for (let time = 1; time <= TIMES; time += 1) {
  most.reading = Math.max(most.reading, await interruptReading(time));
  most.answering = Math.max(most.answering, await interruptAnswering(time));
}
process.stdout.write(JSON.stringify({ tokens: countTokens(createQuestion(0)), ...most }));
process.exit(0);
