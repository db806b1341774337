// A remote model behind LanguageModel: what it is asked, within what the permit and the page leave, and when its turn comes.

import type { Duplex } from "node:stream";
import type { InferenceRequest, ModelInfo } from "../../wire/generated/capos.ts";
import { type Failure, failure, type Serving } from "../../wire/index.ts";
import { OpenAnswer, serveAnswers } from "../answering.ts";
import type { Permit, Permits } from "../permits.ts";
import type { Turns } from "../turns.ts";
import type { Dialect } from "./dialect.ts";
import { MOST_TOOLS } from "./limits.ts";
import { Names } from "./names.ts";
import { namesIn } from "./openai.ts";
import { piecesOf } from "./pieces.ts";
import type { Provider } from "./provider.ts";

export interface RemoteModel {
  readonly info: ModelInfo;
  /** As the provider calls it. */
  readonly model: string;
  readonly dialect: Dialect;
  readonly provider: Provider;
  /** One endpoint, one answer at a time. */
  readonly turns: Turns;
}

/** Of a request, by its bytes: a tokenizer is the provider's own, who says afterwards what it was. */
const BYTES_PER_TOKEN = 4;
const LEAST_ANSWER_TOKENS = 16;

export function serveRemote(stream: Duplex, model: RemoteModel, permits: Permits): Serving {
  const begin = (permit: Permit, req: InferenceRequest, signal: AbortSignal) => begun(model, permit, req, signal);
  return serveAnswers(stream, { info: model.info, count: undefined, begin }, permits);
}

async function begun(
  { info, model, dialect, provider, turns }: RemoteModel,
  permit: Permit,
  req: InferenceRequest,
  signal: AbortSignal,
): Promise<OpenAnswer | Failure> {
  if (req.responseSchema !== "") return failure("failed", "this model answers in no other form than words and calls");
  if (req.tools.length > MOST_TOOLS) return failure("failed", `more than ${MOST_TOOLS} tools are offered`);
  const tools = info.supportsTools ? req.tools : [];
  const { messages, temperature, stopSequences: stops } = req;
  const asked = { model, messages, tools, temperature: Math.min(Math.max(temperature, 0), 2), stops };
  const first = provider.request({ ...asked, mostTokens: 0 });
  if (!first.ok) return failure("failed", first.reason);
  const prompt = Math.ceil(Buffer.byteLength(first.value) / BYTES_PER_TOKEN);
  const room = permit.mostTokens - prompt;
  if (room < LEAST_ANSWER_TOKENS || !permit.prompt(prompt)) {
    const left = `${permit.mostTokens} are left of what the page allows`;
    return failure("failed", `the prompt has about ${prompt} tokens, and ${left}`);
  }
  const body = provider.request({ ...asked, mostTokens: Math.min(req.maxTokens, info.outputTokens, room) });
  if (!body.ok) return failure("failed", body.reason);
  const turn = await turns.next(AbortSignal.any([signal, permit.signal]));
  if (turn === undefined) return permit.cut() ?? failure("cancelled", "the answer is no longer wanted");
  const names = new Names(namesIn(tools, messages));
  return new OpenAnswer(turn, permit, (stop) =>
    piecesOf(provider.answer(body.value, stop), { read: dialect.reader(), names, permit }),
  );
}
