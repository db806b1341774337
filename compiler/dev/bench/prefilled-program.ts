// Measures the CPU seconds from a request to its first word, with and without a prefilled state.

import { join } from "node:path";
import type { ToolDescriptor } from "../../../engine/lib/wire/generated/capos.ts";
import { createMessage, createSystemMessage, SYSTEM_PROMPT } from "../../../engine/processes/loop/messages.ts";
import { renderChat, renderHead } from "../../../engine/processes/model/local/chat.ts";
import { Decoder } from "../../../engine/processes/model/local/decoder.ts";
import { loadEngine } from "../../../engine/processes/model/local/engine.ts";
import { prefill } from "../../../engine/processes/model/local/prefill.ts";

const [engineFolder = "", weights = "", folder = ""] = process.argv.slice(2);
const CONTEXT = 4096;

/** Tools of about the size of those in the standard library. */
const TOOLS: readonly ToolDescriptor[] = ["read", "list", "write", "delete", "search", "move"].map((name) => ({
  name: `notes.${name}`,
  description: `${name}s a file of the notes, by its path, and says what came of it in one line.`,
  interfaceId: 1n,
  methodName: name,
  paramSchema:
    '{"additionalProperties":false,"properties":{"path":{"maxLength":200,"type":"string"},"lines":{"maximum":900,"minimum":1,"type":"integer"}},"required":["path"],"type":"object"}',
  permission: "auto",
  category: "readOnly",
}));
const MESSAGES = [createSystemMessage(SYSTEM_PROMPT), createMessage("user", "Which notes are there?")];

const head = renderHead(MESSAGES, TOOLS);
const order = { engine: engineFolder, weights, model: "bench", contextTokens: CONTEXT, folder, heads: [head] };
const [made] = await Array.fromAsync(prefill(order));
if (made?.kind !== "made") throw new Error("no state was made");
const loaded = await loadEngine(engineFolder, () => {});
if (!loaded.ok) throw new Error(loaded.reason);
const addon = loaded.value;

async function measureFirstWord(stateOf: () => string | undefined): Promise<number> {
  const decoder = await Decoder.open(addon, weights, { contextTokens: CONTEXT, threads: 1, stateOf });
  if (decoder === undefined) throw new Error("the engine does not take the weights");
  const prompt = decoder.tokenize(renderChat(MESSAGES, TOOLS));
  const asked = { prompt, head: decoder.tokenize(head).length, mostTokens: 1, temperature: 0 };
  const before = process.cpuUsage();
  for await (const _ of decoder.answer(asked, new AbortController().signal)) break;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

// The first response reads the weights from the disk, so it is not measured.
await measureFirstWord(() => undefined);
const without = await measureFirstWord(() => undefined);
const having = await measureFirstWord(() => join(folder, made.key));
process.stdout.write(JSON.stringify({ headTokens: made.tokens, stateBytes: made.bytes, without, having }));
