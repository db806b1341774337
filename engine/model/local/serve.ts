// LanguageModel over the connections of all who hold this model. A stream is carried on the connection that asked for it;
// nothing is computed but when its next piece is asked for, so whoever stops asking stops the engine.

import type { Duplex } from "node:stream";
import {
  type InferenceRequest,
  LanguageModel,
  type ModelInfo,
  type StreamChunk,
  TokenStream,
} from "../../wire/generated/capos.ts";
import { Failure, failure, implement, type Serving, serveInterface } from "../../wire/index.ts";
import type { Permit, Permits } from "../permits.ts";
import { type Ended, piecesOf } from "./answers.ts";
import { chatOf } from "./chat.ts";
import type { Decoder } from "./decoder.ts";
import { grammarOf } from "./grammar/answers.ts";
import type { Turn, Turns } from "./turns.ts";

export interface LocalModel {
  readonly decoder: Pick<Decoder, "answer" | "contextTokens" | "tokensOf">;
  readonly info: ModelInfo;
  readonly turns: Turns;
}

/** More than the loop offers nobody reads, and the engine would take long over the grammar. */
const MOST_TOOLS = 64;
/** Whose tokens are counted at once. */
const MOST_TEXTS = 256;
/** An answer needs some room behind what it answers. */
const LEAST_ANSWER_TOKENS = 16;

const DONE = {
  chunk: { textDelta: "", toolCallDelta: { index: 0, id: "", name: "", argumentsDelta: "" } },
  done: true,
};

export function serveLocal(stream: Duplex, model: LocalModel, permits: Permits): Serving {
  let open: OpenAnswer | undefined;
  const serving = serveInterface(stream, [
    implement(LanguageModel, {
      info: async () => ({ info: model.info }),
      complete: async ({ req }, { signal }) => {
        open?.cancel();
        open = undefined;
        const begun = await begin(model, permits, req, signal);
        return begun instanceof OpenAnswer ? await whole(begun, signal) : begun;
      },
      stream: async ({ req }, { signal }) => {
        open?.cancel();
        open = undefined;
        const begun = await begin(model, permits, req, signal);
        if (!(begun instanceof OpenAnswer)) return begun;
        open = begun;
        return { stream: null };
      },
      countTokens: async ({ texts }) =>
        texts.length > MOST_TEXTS
          ? failure("failed", `more than ${MOST_TEXTS} texts`)
          : { counts: texts.map((text) => model.decoder.tokensOf([{ text, isMark: false }]).length) },
    }),
    implement(TokenStream, {
      next: async (_, { signal }) => open?.next(signal) ?? failure("failed", "no stream is open"),
      cancel: async () => {
        open?.cancel();
        return {};
      },
    }),
  ]);
  // Whoever went away must not keep the others waiting.
  void serving.closed.then(() => open?.cancel());
  return serving;
}

/** The one place where a request begins. */
async function begin(
  model: LocalModel,
  permits: Permits,
  req: InferenceRequest,
  signal: AbortSignal,
): Promise<OpenAnswer | Failure> {
  const permit = permits.begin(req.nonce);
  if (permit === undefined) return failure("failed", "the gate has not allowed this request");
  let begun: OpenAnswer | Failure | undefined;
  try {
    begun = await permitted(model, permit, req, signal);
    return begun;
  } finally {
    // The gate waits for the end, also of what failed in a way that nobody foresaw.
    if (!(begun instanceof OpenAnswer)) permit.end();
  }
}

async function permitted(
  { decoder, turns, info }: LocalModel,
  permit: Permit,
  req: InferenceRequest,
  signal: AbortSignal,
): Promise<OpenAnswer | Failure> {
  if (req.responseSchema !== "") return failure("failed", "this model answers in no other form than words and calls");
  if (req.tools.length > MOST_TOOLS) return failure("failed", `more than ${MOST_TOOLS} tools are offered`);
  const tools = info.supportsTools ? req.tools : [];
  const prompt = decoder.tokensOf(chatOf(req.messages, tools));
  const asked = prompt.length;
  const room = decoder.contextTokens - asked;
  if (room < LEAST_ANSWER_TOKENS)
    return failure("failed", `${asked} tokens, of which this model holds ${decoder.contextTokens}`);
  if (!permit.prompt(asked))
    return failure(
      "failed",
      `the prompt has ${asked} tokens, and ${permit.mostTokens} are left of what the page allows`,
    );
  const grammar = tools.length === 0 ? {} : { grammar: grammarOf(tools) };
  const turn = await turns.next(AbortSignal.any([signal, permit.signal]));
  if (turn === undefined) return permit.cut() ?? failure("cancelled", "the answer is no longer wanted");
  const mostTokens = Math.min(req.maxTokens, room, info.outputTokens);
  const temperature = Math.min(Math.max(req.temperature, 0), 2);
  const texts = (stop: AbortSignal) => decoder.answer({ prompt, mostTokens, temperature, ...grammar }, stop);
  return new OpenAnswer(turn, permit, (stop) => piecesOf(counted(texts(stop), permit), tools.length > 0), asked);
}

/** Each text is one token, and none goes on that the permit does not hold. */
async function* counted(texts: AsyncIterable<string>, permit: Permit): AsyncGenerator<string> {
  for await (const text of texts) {
    if (!permit.output(1)) return;
    yield text;
  }
}

/** One answer on its way. */
class OpenAnswer {
  readonly #turn: Turn;
  readonly #permit: Permit;
  readonly #cancelled = new AbortController();
  readonly #pieces: AsyncGenerator<StreamChunk, Ended, undefined>;
  readonly promptTokens: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    turn: Turn,
    permit: Permit,
    pieces: (stop: AbortSignal) => AsyncGenerator<StreamChunk, Ended, undefined>,
    asked: number,
  ) {
    this.#turn = turn;
    this.#permit = permit;
    this.promptTokens = asked;
    this.#pieces = pieces(AbortSignal.any([this.#cancelled.signal, turn.lost, permit.signal]));
    turn.lost.addEventListener("abort", () => this.cancel(), { once: true });
  }

  /** Takes effect after the token that is being computed. */
  cancel(): void {
    this.#cancelled.abort();
    void this.#last.finally(() => this.#pieces.return({ text: "", calls: [] }).finally(() => this.#end()));
  }

  async next(signal: AbortSignal): Promise<{ chunk: StreamChunk; done: boolean } | Failure> {
    if (this.#turn.lost.aborted)
      return failure("failed", "others waited for the model, and this answer was not asked for");
    const taken = await this.take(signal);
    if (taken instanceof Failure) return taken;
    return taken.done === true ? DONE : { chunk: taken.value, done: false };
  }

  #end(): void {
    this.#permit.end();
    this.#turn.done();
  }

  /** The next piece, or what the answer came to. */
  async take(signal: AbortSignal): Promise<IteratorResult<StreamChunk, Ended> | Failure> {
    // Nobody may ask again: what a call took ends with it.
    const stop = () => this.cancel();
    signal.addEventListener("abort", stop, { once: true });
    const taking = this.#last.then(() => this.#pieces.next());
    this.#last = taking.catch(() => undefined);
    try {
      const next = await taking;
      this.#turn.used();
      if (next.done !== true) return next;
      const cut = this.#permit.cut();
      this.#end();
      if (cut !== undefined) return cut;
      if (next.value?.fault !== undefined) return failure("failed", next.value.fault);
      return next;
    } catch {
      this.#end();
      return failure("failed", "the engine failed at this request");
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }
}

async function whole(answer: OpenAnswer, signal: AbortSignal) {
  let outputTokens = 0;
  for (;;) {
    const next = await answer.take(signal);
    if (next instanceof Failure) return next;
    if (signal.aborted) return failure("cancelled", "the answer is no longer wanted");
    if (next.done !== true) {
      outputTokens += 1;
      continue;
    }
    const { text, calls } = next.value ?? { text: "", calls: [] };
    const message = { role: "assistant" as const, content: text, toolCallId: "", toolCalls: calls };
    const finishReason = calls.length > 0 ? ("toolCalls" as const) : ("stop" as const);
    return { resp: { message, usage: { promptTokens: answer.promptTokens, outputTokens }, finishReason } };
  }
}
