// Serves LanguageModel over one connection. TokenStream runs on the same connection: at most one stream is open, and opening another
// stream ends it. A request needs a permit of the session's gate, and contains the nonce of this permit.
import type { Duplex } from "node:stream";
import { type InferenceRequest, LanguageModel, type ModelInfo, TokenStream } from "../../lib/wire/generated/capos.ts";
import { Failure, implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { failUnwanted, readRequestSchema } from "./answering.ts";
import { describeMisfit } from "./checked.ts";
import { splitIntoChunks } from "./chunks.ts";
import type { Permit, Permits } from "./permits.ts";
import type { CannedReply } from "./replies.ts";
import { type Answer, answerOf } from "./stub.ts";

/** A rough count, because a stub has no vocabulary: four bytes a token, as is usual for English. */
const BYTES_PER_TOKEN = 4;
const EMPTY_CHUNK = { textDelta: "", toolCallDelta: { index: 0, id: "", name: "", argumentsDelta: "" } };

interface StubModel {
  readonly replies: readonly CannedReply[];
  readonly info: ModelInfo;
}

/**
 * Returns the description of the stub. `id` is the model's id in the manifest, which the gate gets too, so that the
 * audit and the model report one id.
 */
export function createStubInfo(id: string): ModelInfo {
  return {
    id,
    displayName: "canned replies",
    arch: "stub",
    contextTokens: 65_536,
    outputTokens: 4096,
    backend: "stub",
    quantisation: "",
    supportsTools: true,
  };
}

/** `permits` are the permits of the session whose loop is at the other end. */
export function serveModel(stream: Duplex, model: StubModel, permits: Permits): Serving {
  let open: OpenStream | undefined;
  const begin = async (req: InferenceRequest): Promise<Begun | Failure> => {
    open?.cancel();
    open = undefined;
    return beginAnswer(permits, model.replies, req);
  };
  const serving = serveInterface(stream, [
    implement(LanguageModel, {
      info: async () => ({ info: model.info }),
      complete: async ({ req }, { signal }) => {
        const one = await begin(req);
        return "permit" in one ? complete(one, signal) : one;
      },
      stream: async ({ req }) => {
        const one = await begin(req);
        if (!("permit" in one)) return one;
        open = new OpenStream(one);
        return { stream: null };
      },
      countTokens: async () => makeFailure("failed", "a list of replies has no tokenizer"),
    }),
    implement(TokenStream, {
      next: async (_, { signal }) => open?.next(signal) ?? makeFailure("failed", "no stream is open"),
      cancel: async () => {
        open?.cancel();
        return {};
      },
    }),
  ]);
  void serving.closed.then(() => open?.cancel());
  return serving;
}

/** The stub's answer to a request, with the permit under which it may be sent. */
interface Begun {
  readonly answer: Answer;
  readonly permit: Permit;
  readonly promptTokens: number;
}

/**
 * Begins the answer to a request. All requests pass through this function, so each of them needs a permit. Fails with
 * the reason if no answer may be sent.
 */
async function beginAnswer(
  permits: Permits,
  replies: readonly CannedReply[],
  req: InferenceRequest,
): Promise<Begun | Failure> {
  const permit = permits.begin(req.nonce);
  if (permit === undefined) return makeFailure("failed", "the gate has not allowed this request");
  const heard = permit.hear(req);
  const schema = heard.ok ? readRequestSchema(heard.value) : makeFailure("failed", heard.reason);
  if (!heard.ok || schema instanceof Failure) {
    permit.end();
    return schema instanceof Failure ? schema : makeFailure("failed", "the request cannot be heard");
  }
  const asked = heard.value;
  const promptTokens = estimateTokens(asked.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0));
  if (!permit.prompt(promptTokens)) {
    return makeFailure(
      "failed",
      `the prompt has ${promptTokens} tokens, and ${permit.mostTokens} are left of what the page allows`,
    );
  }
  const given = answerOf(replies, asked);
  // If the answer has calls, its text is not the final answer, and need not fit the schema. So drop the text.
  const answer = schema !== undefined && given.calls.length > 0 ? { ...given, text: "" } : given;
  const outputTokens = [...splitIntoChunks(answer)].reduce((sum, chunk) => sum + countChunkTokens(chunk), 0);
  const isNoted = await permit.asks({ promptTokens, outputTokens });
  if (!isNoted) return failUnwanted(permit);
  const misfit = answer.calls.length > 0 ? undefined : schema?.check(answer.text);
  if (misfit === undefined) return { answer, permit, promptTokens };
  // The answer was generated, so it is charged although nobody gets it.
  permit.output(outputTokens);
  permit.end();
  return makeFailure("malformed", describeMisfit(misfit));
}

/** Answer that is being streamed. Chunks are made on request; between two requests nothing runs. */
class OpenStream {
  readonly #chunks: Generator<typeof EMPTY_CHUNK>;
  readonly #pauses: boolean;
  readonly #permit: Permit;

  constructor({ answer, permit }: Begun) {
    this.#chunks = splitIntoChunks(answer);
    this.#pauses = answer.pausesUntilCancelled;
    this.#permit = permit;
  }

  cancel(): void {
    this.#permit.end();
  }

  async next(signal: AbortSignal): Promise<{ chunk: typeof EMPTY_CHUNK; done: boolean } | Failure> {
    const permit = this.#permit;
    const ended = { chunk: EMPTY_CHUNK, done: true };
    if (permit.signal.aborted) return permit.cut() ?? ended;
    const next = this.#chunks.next();
    if (next.done !== true && permit.output(countChunkTokens(next.value))) {
      permit.said(next.value);
      return { chunk: next.value, done: false };
    }
    if (next.done === true && this.#pauses) await waitForAbort(AbortSignal.any([signal, permit.signal]));
    permit.end();
    return permit.cut() ?? ended;
  }
}

async function complete({ answer, permit, promptTokens }: Begun, signal: AbortSignal) {
  if (answer.pausesUntilCancelled) await waitForAbort(AbortSignal.any([signal, permit.signal]));
  const chunks = [...splitIntoChunks(answer)];
  const outputTokens = chunks.reduce((sum, chunk) => sum + countChunkTokens(chunk), 0);
  const fits = !signal.aborted && permit.output(outputTokens);
  if (fits) for (const chunk of chunks) permit.said(chunk);
  permit.end();
  if (signal.aborted) return makeFailure("cancelled", "the answer is no longer wanted") satisfies Failure;
  if (!fits) return permit.cut() ?? makeFailure("failed", "the answer has ended");
  const message = { role: "assistant" as const, content: answer.text, toolCallId: "", toolCalls: answer.calls };
  const finishReason = answer.calls.length > 0 ? ("toolCalls" as const) : ("stop" as const);
  return { resp: { message, usage: { promptTokens, outputTokens }, finishReason } };
}

/** Returns the number of tokens of one chunk, including calls, because every sent token was decoded. */
function countChunkTokens({ textDelta, toolCallDelta: { name, argumentsDelta } }: typeof EMPTY_CHUNK): number {
  return estimateTokens(Buffer.byteLength(textDelta) + Buffer.byteLength(name) + Buffer.byteLength(argumentsDelta));
}

function estimateTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
