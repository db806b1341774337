// The worker of a local model: weights that are signed and checked at each read, an engine, and whoever holds its
// LanguageModel. It holds no session, no tool, no network and no file beside.

import { closeSync, openSync, readSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Checked, refuse } from "../../policy/index.ts";
import { type GgufHeader, MOST_HEAD_BYTES, readGguf } from "../../weights/gguf.ts";
import { openCapset } from "../../wire/capset.ts";
import { Card } from "../../wire/generated/manifest.ts";
import { decodeMessage } from "../../wire/index.ts";
import { serveSessions } from "../metering.ts";
import { Turns } from "../turns.ts";
import { Decoder } from "./decoder.ts";
import { loadEngine } from "./engine.ts";
import { infoOf } from "./introduction.ts";
import { serveLocal } from "./serve.ts";
import { openStates } from "./states.ts";

const { values } = parseArgs({
  options: {
    id: { type: "string", default: "" },
    context: { type: "string", default: "4096" },
    threads: { type: "string", default: "1" },
    tools: { type: "boolean", default: false },
    /** States of it were computed before. */
    states: { type: "boolean", default: false },
    /** Where the jail shows them; a test has them elsewhere. */
    prefilled: { type: "string", default: "/states" },
    weights: { type: "string", default: "/weights" },
    engine: { type: "string", default: "/capos/llama" },
  },
});

const capset = openCapset();
const model = await openModel();
if (model.ok) {
  serveSessions(capset, (stream, permits) => serveLocal(stream, model.value, permits));
  capset.ready();
} else {
  // Init shows what a process said last when it dies.
  process.stderr.write(`the model cannot be run: ${model.reason}\n`);
  process.exitCode = 1;
  process.disconnect?.();
}

async function openModel(): Promise<Checked<Parameters<typeof serveLocal>[1]>> {
  const card = decodeMessage(Card, capset.file("card"));
  if (!card.ok) return refuse(`its card: ${card.reason}`);
  const header = headerOf(values.weights, Number(card.value.verity.contentBytes));
  if (!header.ok) return refuse(`its weights: ${header.reason}`);
  const said: string[] = [];
  const engine = await loadEngine(values.engine, (line) => said.push(line));
  if (!engine.ok) return engine;
  const contextTokens = Number(values.context);
  const stateOf = values.states
    ? openStates({ list: capset.file("states"), folder: values.prefilled, model: card.value.id, contextTokens })
    : undefined;
  if (stateOf?.ok === false) return refuse(`its prefilled states: ${stateOf.reason}`);
  const options = { contextTokens, threads: Number(values.threads), ...(stateOf && { stateOf: stateOf.value }) };
  const decoder = await Decoder.open(engine.value, values.weights, options);
  if (decoder === undefined)
    return refuse(`the engine does not take its weights: ${said.slice(-2).join("; ") || "it does not say why"}`);
  const info = infoOf(card.value, { id: values.id, contextTokens, callsTools: values.tools });
  return { ok: true, value: { decoder, info, turns: new Turns() } };
}

/** The engine is not the first to look at them. A device says no size: the signed card does. */
function headerOf(path: string, contentBytes: number): Checked<GgufHeader> {
  const descriptor = openSync(path, "r");
  try {
    const head = Buffer.alloc(MOST_HEAD_BYTES);
    let length = 0;
    for (let read = 1; read > 0; length += read)
      read = readSync(descriptor, head, length, head.length - length, length);
    return readGguf(head.subarray(0, length), contentBytes);
  } finally {
    closeSync(descriptor);
  }
}
