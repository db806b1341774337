// Serves a remote model as LanguageModel. The permit and the page limit each request. Requests wait for their turn.

import type { Duplex } from "node:stream";
import { estimatePromptTokens, estimateTokens } from "../../../lib/context/index.ts";
import type { ModelInfo } from "../../../lib/wire/generated/capos.ts";
import { Failure, makeFailure, type Serving } from "../../../lib/wire/index.ts";
import { type FittedRequest, isNoted, OpenAnswer, releaseUnasked, serveAnswers, turnFor } from "../answering.ts";
import type { Permit, Permits } from "../permits.ts";
import type { Turns } from "../turns.ts";
import type { Dialect } from "./dialect.ts";
import { MOST_TOOLS } from "./limits.ts";
import { Names } from "./names.ts";
import { collectNames } from "./openai.ts";
import { readPieces } from "./pieces.ts";
import type { Provider } from "./provider.ts";

interface RemoteModel {
  readonly info: ModelInfo;
  /** Provider's name of the model. */
  readonly model: string;
  readonly dialect: Dialect;
  readonly provider: Provider;
  /** Queue of the callers, each of which waits for its turn: one endpoint has one answer at a time. */
  readonly turns: Turns;
}

/**
 * Bytes per token, to estimate the tokens of a prompt from its bytes. At least this estimate is charged. Only the
 * provider has the tokenizer, and it reports its count afterwards.
 */
const BYTES_PER_TOKEN = 4;
const LEAST_ANSWER_TOKENS = 16;
const NOTHING = { promptTokens: 0, outputTokens: 0 };

export function serveRemote(stream: Duplex, model: RemoteModel, permits: Permits): Serving {
  const begin = (permit: Permit, req: FittedRequest, signal: AbortSignal) => beginAnswer(model, permit, req, signal);
  return serveAnswers(stream, { info: model.info, mostTools: MOST_TOOLS, count: undefined, begin }, permits);
}

async function beginAnswer(
  { info, model, dialect, provider, turns }: RemoteModel,
  permit: Permit,
  req: FittedRequest,
  signal: AbortSignal,
): Promise<OpenAnswer | Failure> {
  const { messages, tools, temperature, stopSequences: stops, schema } = req;
  const asked = { model, messages, tools, temperature, stops, ...(schema && { schema: schema.json }) };
  const first = provider.request({ ...asked, mostTokens: 0 });
  if (!first.ok) return makeFailure("failed", first.reason);
  const prompt = estimatePromptTokens(messages, tools) + estimateTokens(req.responseSchema);
  const room = permit.mostTokens - prompt;
  const charged = Math.ceil(Buffer.byteLength(first.value) / BYTES_PER_TOKEN);
  if (room < LEAST_ANSWER_TOKENS || !permit.prompt(prompt, charged)) {
    const left = `${permit.mostTokens} are left of what the page allows`;
    return makeFailure("failed", `the prompt has about ${prompt} tokens, and ${left}`);
  }
  const mostTokens = Math.min(req.maxTokens, info.outputTokens, room);
  const body = provider.request({ ...asked, mostTokens });
  if (!body.ok) return makeFailure("failed", body.reason);
  const turn = await turnFor(turns, permit, signal);
  if (turn instanceof Failure) return turn;
  // A prompt has at most as many tokens as the request has bytes: each token has at least one byte, and a provider adds
  // fewer tokens around a message than our JSON adds bytes.
  const most = { promptTokens: Buffer.byteLength(body.value), outputTokens: mostTokens };
  if (!(await isNoted(turn, permit, most))) return releaseUnasked(turn, permit);
  const names = new Names(collectNames(tools, messages));
  const payer = { sends: () => permit.owes(most), sentNothing: () => permit.owes(NOTHING) };
  return new OpenAnswer(turn, permit, (stop) =>
    readPieces(provider.answer(body.value, stop, payer), { read: dialect.reader(), names, permit }),
  );
}
