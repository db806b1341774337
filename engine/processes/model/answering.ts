// Serves LanguageModel over the connections of all holders of one model, for any backend that answers piece by piece. A stream runs on
// the connection that requested it. A piece is computed only when it is requested, so a holder that stops requesting pieces
// stops the model.

import type { Duplex } from "node:stream";
import {
  type InferenceRequest,
  LanguageModel,
  type ModelInfo,
  type StreamChunk,
  TokenStream,
  type TokenUsage,
} from "../../lib/wire/generated/capos.ts";
import { Failure, implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { type AnswerSchema, readAnswerSchema } from "./answer-schema.ts";
import { checkPieces } from "./checked.ts";
import type { Permit, Permits } from "./permits.ts";
import type { AnswerResult, Pieces } from "./pieces.ts";
import type { Turn, Turns } from "./turns.ts";

/** Maximum number of texts whose tokens one call of `countTokens` counts. */
const MOST_TEXTS = 256;

const DONE = {
  chunk: { textDelta: "", toolCallDelta: { index: 0, id: "", name: "", argumentsDelta: "" } },
  done: true,
};

/** A request that `fitRequest` has adapted to a model. */
export interface FittedRequest extends InferenceRequest {
  /** Schema that `responseSchema` states; absent if any text is acceptable. */
  readonly schema?: AnswerSchema;
}

/** A model that `LanguageModel` serves. */
export interface Answerer {
  readonly info: ModelInfo;
  /** Token counter; `undefined` if the model has no tokenizer. */
  readonly count: ((text: string) => number) | undefined;
  /** Maximum number of tools in a request. */
  readonly mostTools: number;
  /** Begins an answer under a permit. The permit ends with the returned answer, or at once if the result is a failure. */
  readonly begin: (permit: Permit, req: FittedRequest, signal: AbortSignal) => Promise<OpenAnswer | Failure>;
}

export function serveAnswers(stream: Duplex, answerer: Answerer, permits: Permits): Serving {
  let open: OpenAnswer | undefined;
  const { count } = answerer;
  const opened = async (req: InferenceRequest, signal: AbortSignal): Promise<OpenAnswer | Failure> => {
    open?.cancel();
    open = undefined;
    return beginAnswer(answerer, permits, req, signal);
  };
  const serving = serveInterface(stream, [
    implement(LanguageModel, {
      info: async () => ({ info: answerer.info }),
      complete: async ({ req }, { signal }) => {
        const one = await opened(req, signal);
        return one instanceof OpenAnswer ? await collectAnswer(one, signal) : one;
      },
      stream: async ({ req }, { signal }) => {
        const one = await opened(req, signal);
        if (!(one instanceof OpenAnswer)) return one;
        open = one;
        return { stream: null };
      },
      countTokens: async ({ texts }) => {
        if (count === undefined) return makeFailure("failed", "this model has no tokenizer at hand");
        // Text that is sent only to be counted also reaches the model, so it is redacted.
        const heard = permits.redactTexts(texts.slice(0, MOST_TEXTS));
        if (!heard.ok) return makeFailure("cancelled", heard.reason);
        if (texts.length > MOST_TEXTS) return makeFailure("failed", `more than ${MOST_TEXTS} texts`);
        return { counts: heard.value.map(count) };
      },
    }),
    implement(TokenStream, {
      next: async (_, { signal }) => open?.next(signal) ?? makeFailure("failed", "no stream is open"),
      cancel: async () => {
        open?.cancel();
        return {};
      },
    }),
  ]);
  // A holder that has disconnected must not keep others waiting.
  void serving.closed.then(() => open?.cancel());
  return serving;
}

/**
 * Begins the answer to a request. All requests pass through this function, so each of them needs a permit. Fails with
 * the reason if the request has no permit or cannot be answered.
 */
async function beginAnswer(
  answerer: Answerer,
  permits: Permits,
  req: InferenceRequest,
  signal: AbortSignal,
): Promise<OpenAnswer | Failure> {
  const permit = permits.begin(req.nonce);
  if (permit === undefined) return makeFailure("failed", "the gate has not allowed this request");
  let one: OpenAnswer | Failure | undefined;
  try {
    const heard = permit.hear(req);
    const fitted = heard.ok ? fitRequest(answerer, heard.value) : makeFailure("failed", heard.reason);
    one = fitted instanceof Failure ? fitted : await answerer.begin(permit, fitted, signal);
    // Check the schema here, so that no backend can forget it.
    if (one instanceof OpenAnswer && !(fitted instanceof Failure) && fitted.schema !== undefined)
      one.holdTo(fitted.schema);
    return one;
  } finally {
    // End the permit even after an unforeseen failure, because the gate waits for this end.
    if (!(one instanceof OpenAnswer)) permit.end();
  }
}

/**
 * Returns the request with its schema, with a temperature from 0 to 2, and without tools if the model supports none.
 * Fails if there are too many tools or the schema is not supported.
 */
function fitRequest({ info, mostTools }: Answerer, req: InferenceRequest): FittedRequest | Failure {
  const schema = readRequestSchema(req);
  if (schema instanceof Failure) return schema;
  if (req.tools.length > mostTools) return makeFailure("failed", `more than ${mostTools} tools are offered`);
  const tools = info.supportsTools ? req.tools : [];
  const temperature = Math.min(Math.max(req.temperature, 0), 2);
  return { ...req, tools, temperature, ...(schema && { schema }) };
}

/** Returns the schema that the answer has to fit, `undefined` if the request has none; fails if it is not supported. */
export function readRequestSchema({
  responseSchema,
  stopSequences,
}: Pick<InferenceRequest, "responseSchema" | "stopSequences">): AnswerSchema | Failure | undefined {
  if (responseSchema === "") return undefined;
  if (stopSequences.length > 0) return makeFailure("failed", "stop sequences would cut an answer that has a schema");
  const read = readAnswerSchema(responseSchema);
  return read.ok ? read.value : makeFailure("failed", `responseSchema is not supported: ${read.reason}`);
}

/**
 * Waits until the model is free for this caller (its turn). Fails if the call is cancelled or the permit ends before
 * that.
 */
export async function turnFor(turns: Turns, permit: Permit, signal: AbortSignal): Promise<Turn | Failure> {
  const turn = await turns.acquire(AbortSignal.any([signal, permit.signal]));
  return turn ?? failUnwanted(permit);
}

/**
 * Returns true as soon as the gate has noted the maximum usage of the answer, which may then begin. Returns false if,
 * before that, the permit ended or the caller lost its turn to a waiting caller.
 */
export async function isNoted(turn: Turn, permit: Permit, most: TokenUsage): Promise<boolean> {
  const lost = new Promise<false>((resolve) =>
    turn.lost.addEventListener("abort", () => resolve(false), { once: true }),
  );
  return Promise.race([permit.asks(most), lost]);
}

/**
 * Ends a turn in which no request was sent to the model, so that the next caller gets the model. Returns the failure
 * that the caller gets: it lost its turn to others, its permit ended, or the answer is no longer wanted.
 */
export function releaseUnasked(turn: Turn, permit: Permit): Failure {
  turn.release();
  return turn.lost.aborted ? failLost() : failUnwanted(permit);
}

function failLost(): Failure {
  return makeFailure("failed", "others waited for the model, and this answer was not asked for");
}

export function failUnwanted(permit: Permit): Failure {
  return permit.cut() ?? makeFailure("cancelled", "the answer is no longer wanted");
}

/** Answer that is under way. */
export class OpenAnswer {
  readonly #turn: Turn;
  readonly #permit: Permit;
  readonly #cancelled = new AbortController();
  #pieces: Pieces;
  #last: Promise<unknown> = Promise.resolve();

  constructor(turn: Turn, permit: Permit, pieces: (stop: AbortSignal) => Pieces) {
    this.#turn = turn;
    this.#permit = permit;
    this.#pieces = pieces(AbortSignal.any([this.#cancelled.signal, turn.lost, permit.signal]));
    if (turn.lost.aborted) this.cancel();
    else turn.lost.addEventListener("abort", () => this.cancel(), { once: true });
  }

  /** Requires the answer to fit a schema; text that does not fit is withheld. Call this before the first piece is requested. */
  holdTo(schema: AnswerSchema): void {
    this.#pieces = checkPieces(this.#pieces, schema);
  }

  /** Cancels the answer. The model stops after the token that it currently computes; until then the turn is kept. */
  cancel(): void {
    this.#cancelled.abort();
    void this.#last.finally(() => this.#pieces.return({ text: "", calls: [] }).finally(() => this.#end()));
  }

  async next(signal: AbortSignal): Promise<{ chunk: StreamChunk; done: boolean } | Failure> {
    const taken = await this.take(signal);
    if (taken instanceof Failure) return taken;
    return taken.done === true ? DONE : { chunk: taken.value, done: false };
  }

  get usage() {
    return this.#permit.used();
  }

  #end(): void {
    this.#permit.end();
    this.#turn.release();
  }

  /** Returns the next piece, or the result of the finished answer. Fails if the answer was cut off or the model failed. */
  async take(signal: AbortSignal): Promise<IteratorResult<StreamChunk, AnswerResult> | Failure> {
    // The holder may never call again, so each call removes its own listener when it ends.
    const stop = () => this.cancel();
    signal.addEventListener("abort", stop, { once: true });
    this.#turn.beginRequest();
    const taking = this.#last.then(() => this.#pieces.next());
    this.#last = taking.catch(() => undefined);
    try {
      const next = await taking;
      // First check whether the answer has lost its turn on the model: an answer that was stopped in the middle ends
      // like a complete one.
      if (this.#turn.lost.aborted) return this.#permit.cut() ?? failLost();
      if (next.done !== true) {
        this.#permit.said(next.value);
        return next;
      }
      const cut = this.#permit.cut();
      this.#end();
      if (cut !== undefined) return cut;
      if (next.value?.fault !== undefined)
        return makeFailure(next.value.isMisshapen === true ? "malformed" : "failed", next.value.fault);
      return next;
    } catch {
      this.#end();
      return makeFailure("failed", "the model failed at this request");
    } finally {
      this.#turn.endRequest();
      signal.removeEventListener("abort", stop);
    }
  }
}

async function collectAnswer(answer: OpenAnswer, signal: AbortSignal) {
  for (;;) {
    const next = await answer.take(signal);
    if (next instanceof Failure) return next;
    if (signal.aborted) return makeFailure("cancelled", "the answer is no longer wanted");
    if (next.done !== true) continue;
    const { text, calls, isCut } = next.value ?? { text: "", calls: [] };
    const message = { role: "assistant" as const, content: text, toolCallId: "", toolCalls: calls };
    const said = calls.length > 0 ? ("toolCalls" as const) : ("stop" as const);
    return { resp: { message, usage: answer.usage, finishReason: isCut === true ? ("length" as const) : said } };
  }
}
