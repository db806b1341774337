// The worker of a local model. The worker runs signed weights, which are verified at each read, in an engine. The worker serves
// the holders of LanguageModel or, for an embedding model, of TextEmbedder. The worker has no access to a session, a tool, the
// network or any other file.

import { parseArgs } from "node:util";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { GgufHeader } from "../../../lib/weights/gguf.ts";
import type { Capset } from "../../../lib/wire/capset.ts";
import { TextEmbedder } from "../../../lib/wire/generated/capos.ts";
import { Card } from "../../../lib/wire/generated/manifest.ts";
import { decodeMessage } from "../../../lib/wire/index.ts";
import type { Program } from "../../../lib/wire/program.ts";
import { serveSessions } from "../metering.ts";
import { Turns } from "../turns.ts";
import type { Addon } from "./addon.ts";
import { Decoder } from "./decoder.ts";
import { Embedder } from "./embedder.ts";
import { loadEngine } from "./engine.ts";
import { readHeader } from "./header.ts";
import { buildInfo, type ModelDescription } from "./introduction.ts";
import { serveLocal } from "./serve.ts";
import { serveEmbedder } from "./serve-embedder.ts";
import { openStates } from "./states.ts";

const OPTIONS = {
  id: { type: "string", default: "" },
  context: { type: "string", default: "4096" },
  threads: { type: "string", default: "1" },
  tools: { type: "boolean", default: false },
  /** Whether the worker embeds texts instead of answering. */
  embeds: { type: "boolean", default: false },
  /** Whether the image has precomputed states. */
  states: { type: "boolean", default: false },
  /** Folder of the states in the jail; a test uses another folder. */
  prefilled: { type: "string", default: "/states" },
  weights: { type: "string", default: "/weights" },
  engine: { type: "string", default: "/capos/llama" },
} as const;

const parseWords = (words: readonly string[]) => parseArgs({ args: [...words], options: OPTIONS }).values;
type Values = ReturnType<typeof parseWords>;

export const runLocal: Program = async (capset, { words, giveUp }) => {
  const values = parseWords(words);
  const failed = values.embeds ? await serveVectors(capset, values) : await serveWords(capset, values);
  if (failed !== undefined) return giveUp(`the model cannot be run: ${failed}`);
  capset.ready();
};

/** Starts to serve answers. Returns the reason if the worker cannot serve. */
async function serveWords(capset: Capset, values: Values): Promise<string | undefined> {
  const engine = await openEngine(capset, values);
  if (!engine.ok) return engine.reason;
  const { card, addon, contextTokens, header, refused } = engine.value;
  const stateOf = values.states
    ? openStates({ list: capset.file("states"), folder: values.prefilled, model: card.id, contextTokens })
    : undefined;
  if (stateOf?.ok === false) return `its prefilled states: ${stateOf.reason}`;
  const sizes = { contextTokens, threads: Number(values.threads) };
  const { reluctance, copying } = header;
  const options = { ...sizes, reluctance, copying, ...(stateOf && { stateOf: stateOf.value }) };
  const decoder = await Decoder.open(addon, values.weights, options);
  if (decoder === undefined) return refused();
  const model = {
    decoder,
    info: buildInfo(card, collectSaid(values, values.tools ? "called" : "none")),
    turns: new Turns(),
  };
  serveSessions(capset, (stream, permits) => serveLocal(stream, model, permits));
  return undefined;
}

/**
 * Starts to serve embeddings. Init decides who may call. No data about a caller is stored, so all callers are treated alike. Returns the
 * reason if the worker cannot serve.
 */
async function serveVectors(capset: Capset, values: Values): Promise<string | undefined> {
  const engine = await openEngine(capset, values);
  if (!engine.ok) return engine.reason;
  const { card, addon, contextTokens, refused } = engine.value;
  const embedder = await Embedder.open(addon, values.weights, { contextTokens, threads: Number(values.threads) });
  if (embedder === undefined) return refused();
  const model = { embedder, info: buildInfo(card, collectSaid(values, "none")), turns: new Turns() };
  capset.onGrant(({ stream, interfaceId }) => {
    if (interfaceId === TextEmbedder.id) serveEmbedder(stream, model);
    else stream.destroy();
  });
  return undefined;
}

function collectSaid(values: Values, tools: "called" | "none"): ModelDescription {
  return { id: values.id, contextTokens: Number(values.context), callsTools: tools === "called" };
}

interface Opened {
  readonly card: Card;
  readonly addon: Addon;
  readonly contextTokens: number;
  readonly header: GgufHeader;
  /** Returns why the engine refuses the weights. */
  readonly refused: () => string;
}

async function openEngine(capset: Capset, values: Values): Promise<Result<Opened>> {
  const card = decodeMessage(Card, capset.file("card"));
  if (!card.ok) return refuse(`its card: ${card.reason}`);
  // The id in the card is signed with the weights; the gate and the audit know the model by the id in the manifest, so the two ids must be equal.
  if (card.value.id !== values.id) return refuse(`its card is of ${card.value.id}, and it is to be ${values.id}`);
  const header = readHeader(values.weights, Number(card.value.verity.contentBytes));
  if (!header.ok) return refuse(`its weights: ${header.reason}`);
  const told: string[] = [];
  const engine = await loadEngine(values.engine, (line) => told.push(line));
  if (!engine.ok) return engine;
  const refused = () => `the engine does not take its weights: ${told.slice(-2).join("; ") || "it does not say why"}`;
  return accept({
    card: card.value,
    addon: engine.value,
    contextTokens: Number(values.context),
    header: header.value,
    refused,
  });
}
